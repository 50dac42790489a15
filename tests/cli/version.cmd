krait --version | sed -E '1s/ [0-9][^ ]*$/ N/; 2s/ [0-9][^ ]*$/ N/; 4s/:.*/: as built/'
