package golden

import (
	"context"
	"errors"
	"image"
)

// DefaultRenderer renders with this project's pipeline.
var DefaultRenderer Renderer = RendererFunc(func(context.Context, Job) (map[string]image.Image, error) {
	return nil, errors.New("no renderer is linked in")
})
