krait explain --level=sser --svg=a.svg untimed.kht
