import { Link } from '@tanstack/react-router'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import type { TemplateRow } from '@waybill/contract/email/template'
import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, useFormat } from '../../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Avatar } from '../../../ui/marks/marks.tsx'
import { shortLanguage, templatePath, useMailNames } from '../template-names.ts'
import classes from './mail-template-section.module.css'

type Cell = TemplateRow['texts'][number]

interface TemplateGridProps {
  departmentId: number
  rows: readonly TemplateRow[]
  /** The standard is wanted in place of an own text */
  onBack: (row: TemplateRow, cell: Cell & { key: string }) => void
  /** A text is wanted where a name of the department's own has none */
  onMissing: (row: TemplateRow, language: Language) => void
  /** The text of another department is wanted */
  onTakeOver: (row: TemplateRow, language: Language) => void
}

/** On a cell */
export const TAKE_OVER = 'c'

const isOneOfSeveral = ({ type, name }: TemplateRow): boolean => name === null && EMAIL_RULES[type].variants.length > 1

/** Mails down, languages across; one stop for Tab, arrows walk the cells. */
export function TemplateGrid({ departmentId, rows, onBack, onMissing, onTakeOver }: TemplateGridProps) {
  const { t } = useTranslation('mail-template')
  const namesOf = useMailNames()
  const titleOf = (row: TemplateRow) => {
    const { title, variant } = namesOf(row)
    return [title, variant].filter(Boolean).join(', ')
  }
  const grid = useRef<HTMLTableElement>(null)
  const [at, setAt] = useState({ row: 0, column: 0 })
  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-row]') : null
    if (cell === null || event.altKey || event.ctrlKey || event.metaKey) return
    const row = Number(cell.dataset.row)
    const column = Number(cell.dataset.column)
    const step = STEPS[event.key]
    if (step !== undefined) {
      event.preventDefault()
      grid.current
        ?.querySelector<HTMLElement>(`[data-row="${row + step[0]}"][data-column="${column + step[1]}"]`)
        ?.focus()
      return
    }
    const text = rows[row]?.texts[column]
    if (event.key.toLowerCase() === TAKE_OVER && text !== undefined) {
      event.preventDefault()
      onTakeOver(rows[row]!, text.language)
      return
    }
    if (event.key !== 'Delete' || text === undefined || text.source !== 'own' || text.key === null) return
    event.preventDefault()
    onBack(rows[row]!, { ...text, key: text.key })
  }
  // A filter may have left fewer rows than before.
  const first = { row: Math.min(at.row, rows.length - 1), column: at.column }
  return (
    <div className={classes.scroll}>
      <table className={classes.grid} ref={grid} aria-label={t('title')} onKeyDown={press}>
        <thead>
          <tr>
            <th scope="col">{t('head.when')}</th>
            <th scope="col">{t('head.to')}</th>
            {LANGUAGES.map((language) => (
              <th key={language} scope="col">
                {LANGUAGE_NAMES[language]}
              </th>
            ))}
            <th scope="col" className={classes.number}>
              {t('head.sent')}
            </th>
            <th scope="col">{t('head.edited')}</th>
          </tr>
        </thead>
        {rows.map((row, index) => {
          const isFirstOfType = index === 0 || rows[index - 1]!.type !== row.type || !isOneOfSeveral(rows[index - 1]!)
          return (
            <tbody key={row.name ?? `${row.type} ${row.variant}`}>
              {isOneOfSeveral(row) && isFirstOfType ? <TypeRow row={row} /> : null}
              <tr>
                <MailHead departmentId={departmentId} row={row} />
                {row.texts.map((cell, column) => (
                  <td key={cell.language} className={classes.text} data-label={LANGUAGE_NAMES[cell.language]}>
                    <TextCell
                      departmentId={departmentId}
                      cell={cell}
                      name={nameOfCell(cell)}
                      place={{ 'data-row': index, 'data-column': column }}
                      isFirst={first.row === index && first.column === column}
                      onFocus={() => setAt({ row: index, column })}
                      onMissing={() => onMissing(row, cell.language)}
                    />
                  </td>
                ))}
                <td className={classes.number} data-label={t('head.sent')}>
                  {isOneOfSeveral(row) || row.name !== null ? '' : <Sent count={row.sentCount} />}
                </td>
                <td data-label={t('head.edited')}>
                  <span className={classes.edited}>
                    <LastEdit texts={row.texts} />
                    {/* For the pointer: on a cell it is a key. */}
                    <IconButton
                      icon="copy"
                      isSmall
                      tabIndex={-1}
                      label={t('takeOver.of', { title: titleOf(row) })}
                      onClick={() => onTakeOver(row, spokenIn(row))}
                    />
                  </span>
                </td>
              </tr>
            </tbody>
          )
        })}
      </table>
    </div>
  )
}

const nameOfCell = ({ language }: Cell): string => LANGUAGE_NAMES[language]

/** The language of the screen: what is most likely meant where no cell is in hand. */
const spokenIn = ({ texts }: TemplateRow): Language =>
  (texts.find(({ language }) => language === currentLanguage()) ?? texts[0])!.language

const STEPS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

function Sent({ count }: { count: number }) {
  return useFormat().number(count)
}

/** Above the texts of a mail that has several, for different occasions. */
function TypeRow({ row }: { row: TemplateRow }) {
  const { t } = useTranslation('mail-template')
  const { title } = useMailNames()(row)
  return (
    <tr className={classes.type}>
      <th scope="rowgroup" colSpan={5}>
        {title}
      </th>
      <td className={classes.number} data-label={t('head.sent')}>
        <Sent count={row.sentCount} />
      </td>
      <td />
    </tr>
  )
}

function MailHead({ departmentId, row }: { departmentId: number; row: TemplateRow }) {
  const { title, variant, when, to } = useMailNames()(row)
  const spoken = currentLanguage()
  const key = (row.texts.find(({ language }) => language === spoken) ?? row.texts[0])?.key
  const opened = key ?? row.texts.find((text) => text.key !== null)?.key ?? null
  return (
    <>
      <th scope="row" className={classes.mail} data-inner={variant !== null || undefined}>
        {/* For the pointer: keys walk the cells. */}
        {opened === null ? (
          (variant ?? title)
        ) : (
          <Link to={templatePath(departmentId, opened)} tabIndex={-1}>
            {variant ?? title}
          </Link>
        )}
        <span className={classes.when}>{when}</span>
      </th>
      <td className={classes.to}>{to}</td>
    </>
  )
}

interface TextCellProps {
  departmentId: number
  cell: Cell
  name: string
  place: { 'data-row': number; 'data-column': number }
  isFirst: boolean
  onFocus: () => void
  onMissing: () => void
}

function TextCell({ departmentId, cell, name, place, isFirst, onFocus, onMissing }: TextCellProps) {
  const { t } = useTranslation('mail-template')
  const format = useFormat()
  const shared = { ...place, className: classes.cell, tabIndex: isFirst ? 0 : -1, onFocus }
  if (cell.key === null)
    return (
      <button type="button" {...shared} onClick={onMissing} title={t('cell.addLanguage', { language: name })}>
        {t('cell.missing')} <span className={classes.pale}>→ {shortLanguage('en')}</span>
      </button>
    )
  return (
    <Link to={templatePath(departmentId, cell.key)} {...shared}>
      {cell.isOn ? null : <span className={classes.off}>{t('cell.off')}</span>}
      {cell.source === 'own' ? (
        <>
          <b>{t('cell.own')}</b>
          {cell.editedAt === null ? null : (
            <time className={classes.pale} dateTime={cell.editedAt}>
              {format.dayShort(cell.editedAt)}
            </time>
          )}
        </>
      ) : (
        <span className={classes.pale}>{t('cell.standard')}</span>
      )}
    </Link>
  )
}

/** Who wrote last in any of the languages. */
function LastEdit({ texts }: { texts: readonly Cell[] }) {
  const format = useFormat()
  const [last] = texts
    .filter(({ editedAt }) => editedAt !== null)
    .toSorted((one, other) => other.editedAt!.localeCompare(one.editedAt!))
  if (last === undefined) return <span className={classes.pale}>–</span>
  return (
    <span className={classes.edit}>
      {last.editedBy === null ? null : <Avatar name={last.editedBy.title} size={20} />}
      <time dateTime={last.editedAt!}>{format.day(last.editedAt!)}</time>
    </span>
  )
}
