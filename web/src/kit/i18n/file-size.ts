/** A size as people read it: kilobytes below one megabyte. */
export function fileSize(bytes: number, number: (value: number, least?: number, most?: number) => string): string {
  return bytes < 1_000_000
    ? `${number(Math.max(1, Math.round(bytes / 1000)), 0, 0)} kB`
    : `${number(bytes / 1_000_000, 1, 1)} MB`
}
