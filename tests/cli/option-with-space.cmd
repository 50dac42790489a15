krait check --level ser valid.kht
