import { Textarea, type TextareaProps } from '@mantine/core'
import type { CSSProperties } from 'react'
import classes from './text-area.module.css'

// Where a browser cannot, the text is measured in a second, hidden area after each drawing of the field, for which the
// whole page is laid out anew.
const GROWS_BY_STYLE = CSS.supports('field-sizing', 'content')

/** Several lines of text, as high as the text in it: from `minRows` to `maxRows` lines. */
export function TextArea({
  minRows = 2,
  maxRows = 12,
  ...props
}: Omit<TextareaProps, 'autosize' | 'classNames' | 'styles'>) {
  if (!GROWS_BY_STYLE) return <Textarea autosize minRows={minRows} maxRows={maxRows} {...props} />
  const rows = { '--least-rows': minRows, '--most-rows': maxRows } as CSSProperties
  return <Textarea rows={minRows} classNames={{ input: classes.growing! }} styles={{ input: rows }} {...props} />
}
