"""For each file named on standard input, prints the size and a small thumbnail by Pillow as a JSON line, or the
error."""
import base64, io, json, sys, warnings
import pillow_heif
from PIL import Image, ImageCms, ImageOps
warnings.simplefilter("ignore")
pillow_heif.register_heif_opener(thumbnails=False)
SIDE = 48
SRGB = ImageCms.createProfile("sRGB")

def scaled(image):
    """Scales grey pictures of more than 8 bits: integers by 8 or 16 bits, depending on their range, floats from 0
    to 1."""
    lowest, highest = image.getextrema()
    if image.mode.startswith("I;16") or (image.mode == "I" and lowest >= 0 and highest > 255):
        factor = 1 / 257
    else:
        factor = 255 if image.mode == "F" and highest <= 1 else 1
    if image.mode != "F":
        image = image.convert("I").convert("F")
    return image.point(lambda value: value * factor + 0).convert("L")


def upright(file):
    image = Image.open(file)
    format = image.format
    image.load()
    profile = image.info.get("icc_profile")
    image = ImageOps.exif_transpose(image)
    size = image.size
    if image.mode in ("I", "F") or image.mode.startswith("I;"):
        image = scaled(image)
    if image.mode in ("P", "PA", "1", "LA", "La", "RGBa") or "transparency" in image.info:
        image = image.convert("RGBA")
    alpha = image.getchannel("A") if image.mode == "RGBA" else None
    if image.mode not in ("RGB", "L", "CMYK", "LAB"):
        image = image.convert("RGB")
    if profile:
        try:
            image = ImageCms.profileToProfile(image, ImageCms.ImageCmsProfile(io.BytesIO(profile)), SRGB, outputMode="RGB")
        except (ImageCms.PyCMSError, OSError):
            pass  # Like other programs, ignores a profile that does not match.
    elif image.mode == "LAB":
        lab = ImageCms.createProfile("LAB")
        image = ImageCms.profileToProfile(image, lab, SRGB, outputMode="RGB")
    image = image.convert("RGB")
    if alpha is not None:
        white = Image.new("RGB", image.size, "white")
        white.paste(image, mask=alpha)
        image = white
    return format, size, image

for line in sys.stdin:
    file = line.rstrip("\n")
    try:
        format, (width, height), image = upright(file)
        scale = min(1, SIDE / max(width, height))
        small = image.resize((max(1, round(width * scale)), max(1, round(height * scale))), Image.BOX)
        answer = {"format": format, "width": width, "height": height, "small": [*small.size], "pixels": base64.b64encode(small.tobytes()).decode()}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps({"file": file, **answer}), flush=True)
