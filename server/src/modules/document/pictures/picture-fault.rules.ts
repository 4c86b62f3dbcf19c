/** More would need more memory to show than a phone has: no camera takes such pictures. */
const MOST_PIXELS = 100_000_000

/** Why a picture is not taken: it cannot be read, or it is too large to be shown. */
export type PictureFault = 'picture_unreadable' | 'picture_too_large'

/** What says that a picture is not taken, on its way out of the reading. */
export class Unfit extends Error {
  readonly fault: PictureFault
  constructor(fault: PictureFault) {
    super(fault)
    this.fault = fault
  }
}

export const unreadable = (): never => {
  throw new Unfit('picture_unreadable')
}

export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1) unreadable()
  if (width * height > MOST_PIXELS) throw new Unfit('picture_too_large')
}
