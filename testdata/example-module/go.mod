module example.org/game

go 1.26.0

require pica200 v0.0.0

require (
	github.com/goccy/go-yaml v1.19.2 // indirect
	github.com/qmuntal/gltf v0.28.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace pica200 => ../..
