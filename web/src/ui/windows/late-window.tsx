import {
  Component,
  createContext,
  lazy,
  Suspense,
  useContext,
  useLayoutEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { holdKeys } from './held-keys.ts'

/** Stands in for a window that is on its way: what is pressed meanwhile is for the window. */
export function HeldKeys() {
  useLayoutEffect(holdKeys, [])
  return null
}

export interface LateFailureProps {
  error: unknown
  onRetry: () => void
  /** Of a window; a panel is closed by what it stands in */
  onClose?: (() => void) | undefined
}

/** What stands where a part was wanted that did not come; nothing, where nobody says what. */
export const LateFailure = createContext<ComponentType<LateFailureProps>>(() => null)

type Load<Props> = () => Promise<ComponentType<Props>>
type Late<Props> = ComponentType<Props> & { fetch: () => Promise<unknown> }

interface LateOptions<Props> {
  closeOf?: (props: Props) => (() => void) | undefined
  /** What stands there until it comes */
  Placeholder: ComponentType
}

function latePart<Props extends object>(load: Load<Props>, { closeOf, Placeholder }: LateOptions<Props>): Late<Props> {
  let here: ComponentType<Props> | null = null
  const fetch = () =>
    load().then(
      (part) => {
        here = part
        return { default: part }
      },
      (error: unknown) => {
        // React keeps what failed: the next try needs another part.
        Lazy = lazy(fetch)
        throw error
      },
    )
  let Lazy = lazy(fetch)
  function LatePart(props: Props) {
    const Failure = useContext(LateFailure)
    // The one that it began with: another type would be another window.
    const [{ Part, tries }, setTry] = useState({ Part: here ?? Lazy, tries: 1 })
    const retry = () => setTry({ Part: here ?? Lazy, tries: tries + 1 })
    return (
      <Failing key={tries} Failure={Failure} onRetry={retry} onClose={closeOf?.(props)}>
        <Suspense fallback={<Placeholder />}>
          <Part {...props} />
        </Suspense>
      </Failing>
    )
  }
  return Object.assign(LatePart, { fetch })
}

/**
 * A window whose code is fetched when it is wanted. What is typed until it stands there is typed into it. With its
 * code already here (`fetch`, through `useFetchOnTouch`) it stands there at once. Where it does not come, a window
 * says so that can be closed.
 */
export function lateWindow<Props extends { onClose: () => void }>(load: Load<Props>): Late<Props> {
  return latePart(load, { closeOf: ({ onClose }) => onClose, Placeholder: HeldKeys })
}

/** What stands in a window or a panel that is there already, likewise; where it does not come, it says so there. */
export function latePanel<Props extends object>(load: Load<Props>): Late<Props> {
  return latePart<Props>(load, { Placeholder: HeldKeys })
}

const Nothing = () => null

/**
 * What stands below or beside what somebody is at, and takes no keys from there. Where it does not come, it says so in
 * its place, and the page around it stays.
 */
export function lateSection<Props extends object>(
  load: Load<Props>,
  Placeholder: ComponentType = Nothing,
): Late<Props> {
  return latePart<Props>(load, { Placeholder })
}

interface FailingProps extends Omit<LateFailureProps, 'error'> {
  Failure: ComponentType<LateFailureProps>
  children: ReactNode
}

/** What was thrown within it, instead of it. */
class Failing extends Component<FailingProps, { failed: { error: unknown } | null }> {
  override state: { failed: { error: unknown } | null } = { failed: null }

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } }
  }

  override render() {
    const { failed } = this.state
    const { Failure, children, ...rest } = this.props
    return failed === null ? children : <Failure error={failed.error} {...rest} />
  }
}
