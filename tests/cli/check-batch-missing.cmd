krait check --level=ser --batch=nowhere
