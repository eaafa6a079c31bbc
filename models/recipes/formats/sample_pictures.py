"""Small pictures of the kinds that loaders often get wrong: not square, grey, with alpha, rotated by EXIF, 16 bits
deep, and a large one."""

import base64
import json
import struct
import zlib

import numpy
from PIL import Image


def drawn(width, height, seed):
    """Gradients, edges and fine texture, so that a different resampling method changes the numbers."""
    random = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[0:height, 0:width].astype('float64')
    picture = numpy.empty((height, width, 3))
    for channel in range(3):
        a, b, c = random.uniform(0.02, 0.6, 3)
        picture[..., channel] = 128 + 60 * numpy.sin(a * x + b * y + channel) + 40 * numpy.sign(numpy.sin(c * (x - y) / 2))
    for _ in range(8):
        left, top = random.integers(0, width), random.integers(0, height)
        wide, high = random.integers(3, max(4, width // 3)), random.integers(3, max(4, height // 3))
        picture[top : top + high, left : left + wide] = random.integers(0, 256, 3)
    return numpy.clip(picture + random.normal(0, 6, picture.shape), 0, 255)


def bytes_of(picture):
    return picture.astype('uint8')


def write_png16(path, picture):
    """Writes the PNG directly, because Pillow cannot write 16-bit RGB."""
    height, width, _ = picture.shape
    samples = (picture * 257).astype('>u2')
    lines = b''.join(b'\0' + line.tobytes() for line in samples)

    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

    header = struct.pack('>IIBBBBB', width, height, 16, 2, 0, 0, 0)
    path.write_bytes(
        b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(lines, 9)) + chunk(b'IEND', b'')
    )


def make_pictures(folder):
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(bytes_of(drawn(117, 61, 1))).save(folder / 'wide.jpg', quality=90)
    Image.fromarray(bytes_of(drawn(53, 90, 2))[..., 0], 'L').save(folder / 'grey.png')
    see_through = numpy.dstack([drawn(70, 80, 3), numpy.tile(numpy.linspace(0, 255, 70), (80, 1))])
    Image.fromarray(bytes_of(see_through), 'RGBA').save(folder / 'alpha.png')
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(bytes_of(drawn(100, 72, 4))).save(folder / 'turned.jpg', quality=90, exif=exif)
    write_png16(folder / 'deep.png', drawn(60, 44, 5))
    smooth = Image.fromarray(bytes_of(drawn(230, 170, 6))).resize((920, 680), Image.Resampling.BICUBIC)
    smooth.save(folder / 'large.jpg', quality=50)
    return sorted(folder.iterdir())


def make_resampling(path):
    """The results of Pillow for a few small noise pictures."""
    random = numpy.random.default_rng(9)
    cases = []
    for size, to, filter in [
        ((23, 17), (10, 7), 3), ((23, 17), (10, 7), 2), ((23, 17), (10, 7), 1), ((9, 14), (20, 31), 3), ((9, 14), (20, 31), 2),
        ((40, 12), (40, 5), 3), ((12, 40), (5, 40), 2), ((64, 3), (8, 8), 3),
    ]:
        noise = random.integers(0, 256, (size[1], size[0], 3)).astype('uint8')
        resized = Image.fromarray(noise).resize(to, filter)
        text = lambda pixels: base64.b64encode(pixels.tobytes()).decode()
        cases.append({'size': size, 'pixels': text(noise), 'to': to, 'filter': filter, 'resized': text(resized)})
    path.write_text(json.dumps(cases) + '\n')
