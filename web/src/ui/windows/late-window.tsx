import { lazy, Suspense, useLayoutEffect, useState, type ComponentType } from 'react'
import { holdKeys } from './held-keys.ts'

/** Stands in for a window that is on its way: what is pressed meanwhile is for the window. */
export function HeldKeys() {
  useLayoutEffect(holdKeys, [])
  return null
}

/**
 * A window whose code is fetched when it is wanted. What is typed until it stands there is typed into it. With its
 * code already here (`fetch`, through `useFetchOnTouch`) it stands there at once.
 */
export function lateWindow<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { fetch: () => Promise<unknown> } {
  let here: ComponentType<Props> | null = null
  const fetch = () =>
    load().then((part) => {
      here = part
      return { default: part }
    })
  const Lazy = lazy(fetch)
  function LateWindow(props: Props) {
    // The one that it began with: another type would be another window.
    const [Part] = useState(() => here ?? Lazy)
    return (
      <Suspense fallback={<HeldKeys />}>
        <Part {...props} />
      </Suspense>
    )
  }
  return Object.assign(LateWindow, { fetch })
}
