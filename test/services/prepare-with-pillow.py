"""Prepares pictures for EfficientNet-Lite with Pillow, as its authors do: the shorter side is scaled to 256 pixels, bilinear, and the centre is cut out.
Reads a JSON list of files in base64 on standard input, and prints their RGB bytes in the same form."""
import base64, io, json, sys
from PIL import Image, ImageOps

SIDE = 256


def prepared(file):
    image = ImageOps.exif_transpose(Image.open(io.BytesIO(base64.b64decode(file))))
    if image.has_transparency_data:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    image = image.convert("RGB")
    scale = SIDE / min(image.size)
    image = image.resize([round(side * scale) for side in image.size], Image.BILINEAR)
    left, top = [(side - SIDE) // 2 for side in image.size]
    return base64.b64encode(image.crop((left, top, left + SIDE, top + SIDE)).tobytes()).decode()


json.dump([prepared(file) for file in json.load(sys.stdin)], sys.stdout)
