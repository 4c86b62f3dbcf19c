import type { MailBlockKind } from '@waybill/contract/mail-blocks'
import type { Line, RichText } from '@waybill/contract/kit/rich-text'
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ClipboardEvent,
  type ComponentType,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import type { TextEditorProps } from './text-editor.tsx'
import classes from './text.module.css'
import { aheadOf, withTyped, type Ahead } from './typed-ahead.ts'

/** Where the pointer came down, px of the window. */
export interface Point {
  left: number
  top: number
}

let Here: ComponentType<TextEditorProps> | null = null

/** Fetches the editor of texts: half of the weight of the page, and needed by nobody who only reads. */
export const fetchTextEditor = (): Promise<void> =>
  import('./text-editor.tsx').then((file) => {
    Here = file.TextEditor
  })

interface WrittenTextProps {
  value: Line | RichText
  isLine: boolean
  /** It is the one that is written in */
  isOpen: boolean
  label: string
  /** Its path in the form, for the way from an error */
  path: string
  /** Where the caret goes as it is opened; null: to the end */
  point: Point | null
  isWrong?: boolean
  /** Without it `/` is an ordinary letter */
  onBlock?: (what: MailBlockKind | RichText) => void
  onSelect: (point: Point | null) => void
  onChange: (value: Line | RichText) => void
  /** The text as it stands while nobody writes in it */
  children: ReactNode
}

/**
 * A text that becomes the one that is written in as soon as the focus comes to it. Until the code of the editor is here
 * it keeps what is typed: the editor puts it in at the caret; a text that is left before has it at its end.
 */
export function WrittenText(props: WrittenTextProps) {
  const { value, isLine, isOpen, label, path, point, isWrong, onBlock, onSelect, onChange, children } = props
  const box = useRef<HTMLDivElement>(null)
  const down = useRef<Point | null>(null)
  const ahead = useRef<Ahead[]>([])
  const isAway = useRef(false)
  const [, arrived] = useState(false)
  const isWaiting = isOpen && Here === null

  const take = (): Ahead[] => {
    box.current?.removeAttribute('data-ahead')
    return ahead.current.splice(0)
  }
  const leave = () => {
    const typed = take()
    if (typed.length > 0) onChange(withTyped(value, typed, isLine))
  }
  const leaveNow = useEffectEvent(leave)
  useEffect(() => {
    if (!isWaiting) return undefined
    let isOver = false
    void fetchTextEditor().then(
      () => {
        if (isOver) return
        // Who has gone on to another field meanwhile stays there.
        isAway.current = document.activeElement !== box.current
        arrived(true)
      },
      (error: unknown) =>
        arrived(() => {
          throw error
        }),
    )
    return () => {
      isOver = true
      // With the editor here the keys are its own.
      if (Here === null) leaveNow()
    }
  }, [isWaiting])

  if (isOpen && Here !== null)
    return (
      <Here
        value={value}
        isLine={isLine}
        label={label}
        path={path}
        point={point}
        isQuiet={isAway.current}
        takeAhead={take}
        onChange={(next) => onChange(next as Line | RichText)}
        {...(isWrong === undefined ? {} : { isWrong })}
        {...(onBlock === undefined ? {} : { onBlock })}
      />
    )
  const keep = (typed: Ahead) => {
    ahead.current.push(typed)
    box.current?.setAttribute('data-ahead', '')
  }
  return (
    <div
      ref={box}
      className={classes.static}
      role="textbox"
      aria-label={label}
      aria-multiline={!isLine}
      aria-readonly={false}
      aria-busy={isWaiting || undefined}
      tabIndex={0}
      data-path={path}
      onPointerDown={({ clientX, clientY }: PointerEvent) => {
        down.current = { left: clientX, top: clientY }
      }}
      // The editor takes the focus once the click is done: a press that goes on selects nothing here.
      onFocus={() => {
        if (down.current === null && !isWaiting) onSelect(null)
      }}
      onPointerUp={() => {
        if (down.current !== null) onSelect(down.current)
        down.current = null
      }}
      onKeyDown={(event: KeyboardEvent) => {
        const typed = isWaiting && !event.nativeEvent.isComposing ? aheadOf(event) : null
        if (typed === null) return
        event.preventDefault()
        event.stopPropagation()
        keep(typed)
      }}
      onPaste={(event: ClipboardEvent) => {
        const pasted = event.clipboardData.getData('text/plain')
        if (!isWaiting || pasted === '') return
        event.preventDefault()
        keep({ pasted })
      }}
      onBlur={leave}
    >
      {children}
    </div>
  )
}

/** Whether what was typed is on its way into its text, and stands in no value yet. */
export const isTypedAhead = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.hasAttribute('data-ahead')
