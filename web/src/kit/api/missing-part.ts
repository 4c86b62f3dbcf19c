const RELOADED_AT = 'chunk_reload_at'
// A second failure within this time is no new version but a real loss: then the page says so.
const PAUSE_MS = 60_000

// The router reloads by itself, too, once for each message, which it notes under this name
// (@tanstack/react-router, lazyRouteComponent): what was fetched for a link under the mouse would
// reload the page here, and once more there when the link is clicked.
const routersNote = (message: string): string => `tanstack_router_reload:${message}`

const missing = new WeakSet<Error>()

/** True for the error of a part of the program that did not come: it is gone, or the network is away. */
export const isMissingPart = (error: unknown): boolean => error instanceof Error && missing.has(error)

/** Reloads the page where the server answers: without it the reload would lose the page. Answers whether it does. */
export async function reloadIfAnswered(beforehand?: () => void): Promise<boolean> {
  const answer = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(() => null)
  if (answer?.ok !== true) return false
  beforehand?.()
  location.reload()
  return true
}

/**
 * After a new version the old page asks for files that are gone: it reloads, but never in a circle (spec §8). While
 * the network is away it stays as it is, and what asked for the part says that it did not come.
 */
export function reloadOnMissingPart(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    missing.add(payload)
    sessionStorage.setItem(routersNote(payload.message), '1')
    const before = Number(sessionStorage.getItem(RELOADED_AT) ?? 0)
    if (Date.now() - before < PAUSE_MS) return
    void reloadIfAnswered(() => sessionStorage.setItem(RELOADED_AT, String(Date.now())))
  })
}
