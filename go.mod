module pica200

go 1.25.0
