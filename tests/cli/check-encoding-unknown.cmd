krait check --level=serializable --encoding=polisy valid.kht
