// Twice what a letterhead shows, for print.
const WIDEST = 1200
const HIGHEST = 400

/**
 * Any picture that the browser can show, as a PNG in base64 for a letterhead: never larger than a print needs,
 * smaller still until it has at most `bytes`.
 * Throws a DOMException where the file is no picture.
 */
export async function logoFrom(file: Blob, bytes: number): Promise<string> {
  const image = await decoded(file)
  // A drawing without a size of its own is as large as there is room.
  const [width, height] = [image.naturalWidth || WIDEST, image.naturalHeight || HIGHEST]
  for (let scale = Math.min(1, WIDEST / width, HIGHEST / height); ; scale *= 0.7) {
    const png = drawn(image, Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
    // Four letters for three bytes.
    if (png.length * 0.75 <= bytes) return png
  }
}

/** A file as an address that holds it. */
export function dataUrlOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error as DOMException))
    reader.readAsDataURL(file)
  })
}

async function decoded(file: Blob): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = await dataUrlOf(file)
  await image.decode()
  return image
}

function drawn(image: HTMLImageElement, width: number, height: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')!.drawImage(image, 0, 0, width, height)
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '')
}
