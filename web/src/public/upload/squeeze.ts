/** Long side in pixels: an A4 page at 210 dpi, on which small print is still read. */
const LONG_SIDE = 2500
const MOST_BYTES = 3_000_000
const QUALITIES = [0.86, 0.75, 0.6, 0.45]

// What a browser draws as one picture; TIFF and PDF have pages.
const DRAWN = /^image\/(?:jpeg|png|webp|heic|heif)$/

/** The size in which a picture is sent: its long side cut down, never made larger. */
export function sizeFor(width: number, height: number): { width: number; height: number } {
  const share = Math.min(1, LONG_SIDE / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) }
}

/** A picture as iPhones keep them; on a desk the file has no type, and its name says so. */
export const isHeic = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  /^image\/hei[cf]$/.test(type) || /\.hei[cf]$/i.test(name)

/**
 * A picture upright and small enough for the road; drawn anew it has no position data any more. What the browser cannot
 * draw goes as it is: the server says what it thinks of it.
 */
export async function squeeze(file: File): Promise<File> {
  if (!DRAWN.test(file.type) && !isHeic(file)) return file
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (picture === null) return file
  const canvas = document.createElement('canvas')
  Object.assign(canvas, sizeFor(picture.width, picture.height))
  const pen = canvas.getContext('2d')
  if (pen === null) return file
  // JPEG has no transparency: what shows through a PNG would turn black.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
    if (blob === null) return file
    if (blob.size <= MOST_BYTES || quality === QUALITIES.at(-1))
      return new File([blob], `${file.name.replace(/\.\w{1,5}$/, '')}.jpg`, { type: 'image/jpeg' })
  }
  return file
}
