/** Shows a file in a new tab, or saves it where the browser cannot show it. The address dies with the tab. */
export function openFile(blob: Blob, fileName: string): void {
  const isShown = blob.type === 'application/pdf' || blob.type.startsWith('image/')
  if (!isShown) {
    saveFile(blob, fileName)
    return
  }
  window.open(URL.createObjectURL(blob), '_blank', 'noopener')
}

/** Saves a file under its name. */
export function saveFile(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** What a reply holds in base64. */
export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
