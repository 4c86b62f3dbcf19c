import { performance } from 'node:perf_hooks'

/**
 * Tells whether this process has worked for more than `share` of its time of late; looked at every `everyMs` at most.
 */
export function createBusyWatch({ share, everyMs }: { share: number; everyMs: number }): () => boolean {
  let isBusy = false
  let before = performance.eventLoopUtilization()
  let lookedAt = performance.now()
  return () => {
    const now = performance.now()
    if (now - lookedAt < everyMs) return isBusy
    const current = performance.eventLoopUtilization()
    isBusy = performance.eventLoopUtilization(current, before).utilization > share
    before = current
    lookedAt = now
    return isBusy
  }
}
