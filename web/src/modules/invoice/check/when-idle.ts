const LONGEST_WAIT_MS = 500
const NEXT_FRAMES_MS = 50

/** Does what can wait once a key is answered and the page is still; where a browser cannot tell, some frames later. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: LONGEST_WAIT_MS })
  else setTimeout(run, NEXT_FRAMES_MS)
}
