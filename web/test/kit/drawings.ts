/*
 * How often React draws which component. It tells what it has done to a hook made for its developer tools, in the
 * build for production too; this file is loaded before React, which looks for the hook once.
 */

/** What of a node of React's tree is looked at. */
interface Fiber {
  type: unknown
  flags: number
  child: Fiber | null
  sibling: Fiber | null
  /** as it was before */
  alternate: Fiber | null
}

interface Hook {
  supportsFiber: boolean
  renderers: Map<number, unknown>
  inject: (renderer: unknown) => number
  onCommitFiberRoot: (id: number, root: { current: Fiber }, ...rest: unknown[]) => void
  onCommitFiberUnmount: () => void
}

/** The component was called, and not passed over. */
const PERFORMED_WORK = 1

let counts: Map<string, number> | null = null

function count(fiber: Fiber): void {
  const { type, flags, child, alternate } = fiber
  if (typeof type === 'function' && (flags & PERFORMED_WORK) !== 0)
    counts!.set(type.name, (counts!.get(type.name) ?? 0) + 1)
  // The same children as before: nothing below was looked at, and what stands there tells of an earlier time.
  if (child === (alternate?.child ?? null)) return
  for (let one = child; one !== null; one = one.sibling) count(one)
}

const NAME = '__REACT_DEVTOOLS_GLOBAL_HOOK__'
const place = globalThis as unknown as Record<string, Hook | undefined>
const hook = (place[NAME] ??= {
  supportsFiber: true,
  renderers: new Map(),
  inject: () => 1,
  onCommitFiberRoot: () => undefined,
  onCommitFiberUnmount: () => undefined,
})
const before = hook.onCommitFiberRoot
hook.onCommitFiberRoot = (id, root, ...rest) => {
  before(id, root, ...rest)
  if (counts !== null) count(root.current)
}

/** How often each component is drawn while `work` is done, by its name; one that is not drawn is not named. */
export async function drawingsDuring(work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
  const own = new Map<string, number>()
  counts = own
  try {
    await work()
  } finally {
    counts = null
  }
  return own
}
