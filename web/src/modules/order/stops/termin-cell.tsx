import type { Language } from '@waybill/contract/errors'
import { useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Problem } from '../../../kit/form/state/form-context.ts'
import { isSame } from '../../../kit/form/state/values.ts'
import type { Format } from '../../../kit/i18n/format.ts'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { CellError } from '../grid/cell-error.tsx'
import classes from '../grid/grid.module.css'
import type { StopValues } from '../values/draft.ts'
import { terminTyped, terminWords } from '../values/stop-words.ts'
import type { StopTexts } from './stop-texts.ts'
import { readTermin } from './termin-field.ts'

interface TerminCellProps {
  stop: StopValues
  base: StopValues | undefined
  index: number
  problem: Problem | undefined
  doubt: string | null
  texts: StopTexts
  format: Format
  language: Language
  isReadOnly: boolean
  onChange: (index: number, part: Partial<StopValues>) => void
}

/** When: in hand as it is typed, with what it means below; out of hand as it counts. */
export function TerminCell({
  stop,
  base,
  index,
  problem,
  doubt,
  texts,
  format,
  language,
  isReadOnly,
  onChange,
}: TerminCellProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const before = useRef<Pick<StopValues, 'termin' | 'terminText'>>({ termin: null, terminText: null })
  const readingId = useId()
  const doubtId = useId()
  const { termin, terminText } = stop
  const written = terminText ?? (termin === null ? '' : terminWords(termin, format, texts))
  const reading = terminText === null ? termin : null
  const isWrong = problem !== undefined || (terminText !== null && typed === null)
  const describedBy = typed !== null ? readingId : isWrong ? `${readingId}-error` : doubt === null ? '' : doubtId
  const enter = (event: FocusEvent<HTMLInputElement>) => {
    if (isReadOnly) return
    before.current = { termin, terminText }
    // At once: the next key must find the text to be typed over.
    flushSync(() => setTyped(terminText ?? (termin === null ? '' : terminTyped(termin, language))))
    event.currentTarget.select()
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape' || typed === null) return
    event.stopPropagation()
    onChange(index, before.current)
    event.currentTarget.blur()
  }
  return (
    <td
      data-area="termin"
      className={classes.when}
      data-changed={!isSame([termin, terminText], [base?.termin, base?.terminText]) || undefined}
      data-wrong={isWrong || undefined}
      data-doubt={(!isWrong && doubt !== null) || undefined}
      title={typed === null && !isWrong ? (doubt ?? undefined) : undefined}
    >
      <input
        className={classes.input}
        data-cell
        name={`locations.${index}.termin`}
        value={typed ?? written}
        readOnly={isReadOnly}
        maxLength={100}
        placeholder={texts.column('termin')}
        autoComplete="off"
        aria-label={texts.field('termin', index + 1)}
        aria-invalid={isWrong || undefined}
        aria-describedby={describedBy === '' ? undefined : describedBy}
        onFocus={enter}
        onBlur={() => setTyped(null)}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onChange(index, readTermin(event.currentTarget.value, language, before.current.termin))
        }}
      />
      {doubt === null || typed !== null || isWrong ? null : (
        <span className={classes.hidden} id={doubtId}>
          {doubt}
        </span>
      )}
      {typed === null ? (
        <CellError id={`${readingId}-error`}>
          {isWrong ? (problem?.message ?? texts.notUnderstood) : undefined}
        </CellError>
      ) : (
        <div className={classes.reading} id={readingId} role="status">
          {typed === '' ? null : (
            <div className={classes.readingLine}>
              <b>
                {reading === null
                  ? texts.notUnderstood
                  : terminWords(reading, { shortWeekdayDate: format.weekdayDate }, texts)}
              </b>
              {reading === null ? null : <span>{texts.kindOfTermin[reading.kind]}</span>}
              {reading === null ? null : <KeyHint>Enter</KeyHint>}
            </div>
          )}
          {doubt === null || reading === null ? null : <div className={classes.readingDoubt}>{doubt}</div>}
          <div className={classes.readingHint}>
            {texts.also}{' '}
            {texts.examples.map(([example, meaning], place) => (
              <span key={example}>
                {place === 0 ? '' : ' · '}
                <b>{example}</b> {meaning}
              </span>
            ))}
          </div>
        </div>
      )}
    </td>
  )
}
