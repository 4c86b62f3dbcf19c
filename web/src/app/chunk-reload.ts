const RELOADED_AT = 'chunk_reload_at'
// A second failure within this time is no new version but a real loss: then the error page speaks.
const PAUSE_MS = 60_000

/** After a new version the old page asks for files that are gone: reload, but never in a circle (spec §8). */
export function reloadOnMissingChunk(): void {
  window.addEventListener('vite:preloadError', () => {
    const before = Number(sessionStorage.getItem(RELOADED_AT) ?? 0)
    if (Date.now() - before < PAUSE_MS) return
    sessionStorage.setItem(RELOADED_AT, String(Date.now()))
    location.reload()
  })
}
