krait stats --ignore-unreadable register.edn | head -3
