import { Button, Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MAX_IMPORT_BYTES, type ImportFix, type ImportResult, type importOf } from '@waybill/contract/kit/import'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { useFileDrop } from '../../ui/fields/use-file-drop.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ApiError } from '../api/api-error.ts'
import { callApi, newIdempotencyKey } from '../api/call-api.ts'
import { BackLink } from '../form/page/back-link.tsx'
import { useErrorText } from '../i18n/error-text.ts'
import { useFormat } from '../i18n/i18n.ts'
import { ColumnTable, DoubtTable, FaultTable } from './import-tables.tsx'
import { untilKnown } from './until-known.ts'
import classes from './import-page.module.css'

interface ImportPageProps {
  endpoint: ReturnType<typeof importOf>
  title: string
  /** Where the records are listed */
  back: { to: string; label: string }
  /** First part of the keys under which the records are cached */
  path: string
  /** Of an import that can tell of what it makes: a box that asks, off at first */
  asksToTell?: { label: string; description: string }
}

/** What is sent each time; nothing waits on the server. */
interface Attempt {
  file: File
  columns: readonly (string | null)[] | null
  fixes: readonly ImportFix[]
  tells: boolean
  /** One for each file: sent twice it is taken once */
  idempotencyKey: string
}

function formOf({ file, columns, fixes, tells }: Attempt, isCommit: boolean): FormData {
  const form = new FormData()
  if (columns !== null) form.set('columns', JSON.stringify(columns))
  form.set('fixes', JSON.stringify(fixes))
  form.set('commit', isCommit ? '1' : '0')
  if (tells) form.set('tells', '1')
  form.set('file', file, file.name)
  return form
}

/** How far the import itself is: rows on their way, or asked about again because no answer came. */
type Commit = 'none' | 'sent' | 'unknown'

const ASK_AGAIN_MS = 2_000
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, ASK_AGAIN_MS))

/** While rows are on their way the browser asks before it leaves; `current` is false once the page is left. */
function useStay(isCommitting: boolean) {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  useEffect(() => {
    if (!isCommitting) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isCommitting])
  return isHere
}

/** Takes records in from a table: file, columns, faults, and only then the records themselves. */
export function ImportPage({ endpoint, title, back, path, asksToTell }: ImportPageProps) {
  const { t } = useTranslation('import')
  const { number } = useFormat()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const [result, setResult] = useState<ImportResult | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [commitState, setCommitState] = useState<Commit>('none')
  const isHere = useStay(commitState !== 'none')
  const latest = useRef(0)

  const words = (refused: unknown) =>
    refused instanceof ApiError && refused.code === 'validation'
      ? (refused.errors[0]?.message ?? errorText(refused))
      : errorText(refused)
  const look = async (next: Attempt) => {
    const turn = (latest.current += 1)
    setAttempt(next)
    setError(null)
    setBusy(true)
    try {
      const found = await callApi(endpoint, { form: formOf(next, false) } as never)
      if (turn === latest.current) setResult(found)
    } catch (refused) {
      if (turn === latest.current) setError(words(refused))
    } finally {
      if (turn === latest.current) setBusy(false)
    }
  }
  const choose = (file: File) => {
    setResult(null)
    if (file.size > MAX_IMPORT_BYTES) {
      setAttempt(null)
      setError(t('tooLarge'))
      return
    }
    void look({ file, columns: null, fixes: [], tells: false, idempotencyKey: newIdempotencyKey() })
  }
  const commit = async (now: Attempt) => {
    setError(null)
    setBusy(true)
    setCommitState('sent')
    try {
      const { created } = await untilKnown(
        () => callApi(endpoint, { form: formOf(now, true), idempotencyKey: now.idempotencyKey } as never),
        { onOpen: () => setCommitState('unknown'), pause },
      )
      void queries.invalidateQueries({ queryKey: [path] })
      notify({
        tone: 'ok',
        title: t('done', { count: created ?? 0, number: number(created ?? 0) }),
        closeLabel: t('close'),
      })
      if (isHere.current) void navigate({ to: back.to })
    } catch (refused) {
      // What has changed since it was checked shows when it is checked again.
      if (refused instanceof ApiError && refused.code === 'validation') await look(now)
      setError(words(refused))
      setBusy(false)
      if (!isHere.current) notify({ tone: 'danger', title: `${title}: ${words(refused)}`, closeLabel: t('close') })
      setCommitState('none')
    }
  }
  const mend = (fixes: readonly ImportFix[]) => {
    if (attempt === null) return
    const changed = new Set(fixes.map(({ row, column }) => `${row}:${column}`))
    void look({
      ...attempt,
      fixes: [...attempt.fixes.filter(({ row, column }) => !changed.has(`${row}:${column}`)), ...fixes],
    })
  }

  return (
    <>
      <PageHead
        lead={<BackLink to={back.to} label={back.label} />}
        title={title}
        note={
          attempt === null ? null : (
            <span className={classes.note}>
              {result === null
                ? attempt.file.name
                : t('rows', { count: result.rowCount, number: number(result.rowCount), file: attempt.file.name })}
            </span>
          )
        }
        actions={
          attempt === null || result === null ? null : (
            <Button
              size="compact-sm"
              variant="filled"
              disabled={isBusy || result.faultCount > 0}
              onClick={() => void commit(attempt)}
            >
              {t('commit', { count: result.rowCount, number: number(result.rowCount) })}
            </Button>
          )
        }
      />
      <div className={classes.body} aria-busy={isBusy}>
        <FileChoice isAgain={attempt !== null} isBusy={isBusy} onFile={choose} />
        {error === null ? null : (
          <Notice tone="danger" isUrgent>
            {error}
          </Notice>
        )}
        {attempt === null || result === null ? null : commitState !== 'none' ? (
          <>
            <Progress aria-label={t('committing')} value={100} animated />
            <Notice isUrgent>
              {t(commitState === 'sent' ? 'sent' : 'unknown', {
                count: result.rowCount,
                number: number(result.rowCount),
              })}
            </Notice>
          </>
        ) : (
          <>
            {result.faultCount === 0 ? (
              <Notice tone="ok">{t('noFaults')}</Notice>
            ) : (
              <Section
                title={t('faults', { count: result.faultCount, number: number(result.faultCount) })}
                summary={
                  result.faults.length < result.faultCount
                    ? t('firstFaults', { count: result.faults.length, number: number(result.faults.length) })
                    : null
                }
                isFlush
              >
                <FaultTable
                  key={JSON.stringify([attempt.columns, attempt.fixes])}
                  faults={result.faults}
                  isBusy={isBusy}
                  onMend={mend}
                />
              </Section>
            )}
            {result.doubts.length === 0 ? null : (
              <Section
                title={t('doubts', { count: result.doubts.length, number: number(result.doubts.length) })}
                summary={t('doubtsMean')}
                isFlush
              >
                <DoubtTable doubts={result.doubts} />
              </Section>
            )}
            {asksToTell === undefined ? null : (
              <CheckField
                {...asksToTell}
                disabled={isBusy}
                checked={attempt.tells}
                // Nothing that was checked depends on it; but it is another intention, with a key of its own.
                onChange={(event) =>
                  setAttempt({
                    ...attempt,
                    tells: event.currentTarget.checked,
                    idempotencyKey: newIdempotencyKey(),
                  })
                }
              />
            )}
            <Section title={t('columns')} summary={t('columnsMean')} isFlush>
              <ColumnTable result={result} isBusy={isBusy} onChange={(columns) => void look({ ...attempt, columns })} />
            </Section>
          </>
        )}
      </div>
    </>
  )
}

function FileChoice({ isAgain, isBusy, onFile }: { isAgain: boolean; isBusy: boolean; onFile: (file: File) => void }) {
  const { t } = useTranslation('import')
  const input = useRef<HTMLInputElement>(null)
  const drop = useFileDrop(([file]) => {
    if (file !== undefined && !isBusy) onFile(file)
  })
  return (
    <div className={classes.choice} {...drop}>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.txt,.tsv,.xlsx"
        aria-label={t('file')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          // The same file once more, mended meanwhile, is a choice as well.
          event.currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      <Button
        variant={isAgain ? 'default' : 'filled'}
        leftSection={<Icon name="upload" />}
        disabled={isBusy}
        onClick={() => input.current?.click()}
      >
        {t(isAgain ? 'chooseAgain' : 'choose')}
      </Button>
      <span>{t('choiceMeans')}</span>
    </div>
  )
}
