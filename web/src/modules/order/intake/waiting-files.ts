// Files that were dropped on another screen, until the order mails are there to bring them in.
let waiting: readonly File[] = []

export function waitWith(files: FileList): void {
  waiting = [...files]
}

/** The files that wait, once. */
export function takeWaiting(): readonly File[] {
  const files = waiting
  waiting = []
  return files
}
