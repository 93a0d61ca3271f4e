autocmd BufNewFile,BufRead *.pica setlocal filetype=pica commentstring=;\ %s
