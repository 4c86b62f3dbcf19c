import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readBankStatement, type ReadStatements } from '@waybill/contract/bank-statement/bank-statement'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { BackLink } from '../../kit/form/page/back-link.tsx'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { useFileDrop } from '../../ui/fields/use-file-drop.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { InvoiceTabs } from '../invoice/invoice-tabs-section.tsx'
import classes from './bank-statement.module.css'
import { StatementList } from './statement-list.tsx'
import { StatementWork } from './statement-work.tsx'

/** Bank statements: those that were read in, or the one that the address names, entry by entry. */
export function BankStatementsPage() {
  const { t } = useTranslation(['bank-statement', 'common'])
  const navigate = useNavigate()
  const client = useQueryClient()
  const refusalWords = useRefusalWords()
  const search = useSearch({ strict: false }) as { statement?: unknown }
  const named = Number(search.statement)
  const openId = Number.isSafeInteger(named) && named > 0 ? named : null
  const open = useCallback(
    (id: number) =>
      void navigate({ to: '/invoices/bank-statements' as string, search: { statement: String(id) } as never }),
    [navigate],
  )
  const chooser = useRef<HTMLInputElement>(null)
  const choose = () => chooser.current?.click()
  const read = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData()
      form.set('file', file, file.name)
      return callApi(readBankStatement, { form, idempotencyKey: newIdempotencyKey() })
    },
    onSuccess: async ({ statements }) => {
      await client.invalidateQueries({ queryKey: ['bank-statements'] })
      const fresh = statements.find(({ newCount }) => newCount > 0)
      tell(statements)
      const shown = fresh ?? statements[0]
      if (shown) open(shown.id)
    },
  })
  const tell = (statements: ReadStatements['statements']) => {
    const sum = (name: 'newCount' | 'knownCount' | 'doubtfulCount') =>
      statements.reduce((count, one) => count + one[name], 0)
    notify({
      tone: sum('newCount') > 0 ? 'ok' : 'info',
      title: t('bank-statement:read.new', { count: sum('newCount') }),
      detail:
        [
          ...(sum('knownCount') > 0 ? [t('bank-statement:read.known', { count: sum('knownCount') })] : []),
          ...(sum('doubtfulCount') > 0 ? [t('bank-statement:read.doubtful', { count: sum('doubtfulCount') })] : []),
        ].join('. ') || undefined,
      closeLabel: t('common:close'),
    })
  }
  const take = (list: FileList | null) => {
    const file = list?.[0]
    if (file !== undefined && !read.isPending) read.mutate(file)
  }
  const drop = useFileDrop(take)
  useShortcut({ key: 'u', label: t('bank-statement:read.do'), run: choose })
  return (
    <div className={classes.page} {...drop}>
      <PageHead
        lead={<BackLink to="/invoices/open-items" label={t('bank-statement:back')} />}
        title={t('bank-statement:title')}
        actions={
          <>
            <input
              ref={chooser}
              type="file"
              accept=".xml,.camt,text/xml,application/xml"
              className={classes.hidden}
              tabIndex={-1}
              aria-label={t('bank-statement:read.file')}
              onChange={(event) => {
                take(event.currentTarget.files)
                event.currentTarget.value = ''
              }}
            />
            <Button
              variant={openId === null ? 'filled' : 'default'}
              leftSection={<Icon name="upload" />}
              rightSection={<KeyHint>U</KeyHint>}
              loading={read.isPending}
              onClick={choose}
            >
              {t('bank-statement:read.do')}
            </Button>
          </>
        }
      />
      <InvoiceTabs current="openItems" />
      {read.error === null ? null : (
        <div className={classes.notice}>
          <Notice tone="danger">
            {t('bank-statement:read.refused')}: {[...new Set(refusalWords(read.error))].join('. ')}
          </Notice>
        </div>
      )}
      {openId === null ? (
        <StatementList onOpen={open} />
      ) : (
        <StatementWork
          key={openId}
          id={openId}
          onList={() => void navigate({ to: '/invoices/bank-statements' as string })}
        />
      )}
    </div>
  )
}
