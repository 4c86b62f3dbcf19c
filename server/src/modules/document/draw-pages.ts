import { askApart } from '../../kit/context/apart.ts'
import { createTurns } from '../../kit/context/turns.ts'
import type { PagesAnswer, PagesRefusal, PagesTask } from './page-drawer.ts'

// Sixty plain pages take some four on a free core; where the cores are busy, others come before them.
const TIME_LIMIT_MS = 120_000
const HEAP_MB = 256
// It takes a core for as long as it lasts.
const turns = createTurns({ atOnce: 1, waiting: 8 })

/**
 * The pages of a PDF that somebody sent, each as a JPEG of 150 dpi that is no larger than a sheet of A4; drawn in a
 * process of its own with limits of time and memory. Error: `unavailable` where too many are drawn at once.
 */
export const drawPages = (
  bytes: Uint8Array,
  limits: Pick<PagesTask, 'mostPages' | 'mostBytes'>,
): Promise<{ pages: Uint8Array[] } | { refusal: PagesRefusal }> =>
  turns.take(async () => {
    const answer = await askApart<PagesAnswer>(
      new URL('./page-drawer.ts', import.meta.url),
      { bytes, ...limits } satisfies PagesTask,
      { timeLimitMs: TIME_LIMIT_MS, heapMb: HEAP_MB },
    )
    return answer ?? { refusal: 'tooHeavy' }
  })
