krait check --level=ser --output=jason valid.kht
