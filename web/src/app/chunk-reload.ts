const RELOADED_AT = 'chunk_reload_at'
// A second failure within this time is no new version but a real loss: then the error page speaks.
const PAUSE_MS = 60_000

// The router reloads by itself, too, once for each message, which it notes under this name
// (@tanstack/react-router, lazyRouteComponent): what was fetched for a link under the mouse would
// reload the page here, and once more there when the link is clicked.
const routersNote = (message: string): string => `tanstack_router_reload:${message}`

/** After a new version the old page asks for files that are gone: reload, but never in a circle (spec §8). */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    sessionStorage.setItem(routersNote(payload.message), '1')
    const before = Number(sessionStorage.getItem(RELOADED_AT) ?? 0)
    if (Date.now() - before < PAUSE_MS) return
    sessionStorage.setItem(RELOADED_AT, String(Date.now()))
    location.reload()
  })
}
