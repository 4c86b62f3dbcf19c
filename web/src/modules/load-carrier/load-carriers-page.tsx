import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { exportAccounts, isStatementDue, listAccounts, type HolderKind } from '@waybill/contract/load-carrier/account'
import { countOpenQuestions } from '@waybill/contract/load-carrier/statement'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SearchField } from '../../kit/list/filter/search-field.tsx'
import { ExportMenu } from '../../kit/list/page/export-menu.tsx'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { TabBar } from '../../ui/page/tab-bar.tsx'
import { lateWindow } from '../../ui/windows/late-window.tsx'
import { AccountDetail } from './account-detail.tsx'
import { OLDER_THAN, ownKinds, useAccountsAddress } from './accounts-address.ts'
import { AccountsTable } from './accounts-table.tsx'
import classes from './load-carrier.module.css'
import { NotAgreedList, WithoutNoteList } from './open-questions.tsx'
import { TIME_ZONE, useRefreshAccounts } from './use-accounts.ts'

const MovementWindow = lateWindow(() => import('./movement-window.tsx').then((file) => file.MovementWindow))

const StatementsWindow = lateWindow(() => import('./statements-window.tsx').then((file) => file.StatementsWindow))

/** Accounts of load carriers by customer, carrier and place; beside them the movements of the one that is chosen. */
export function LoadCarriersPage() {
  const { t } = useTranslation('load-carrier')
  const format = useFormat()
  const refresh = useRefreshAccounts()
  const [shown, go] = useAccountsAddress()
  const { tab, holder, q, typeId, show, olderThan, accountId } = shown
  const [asked, setAsked] = useState<'movement' | 'statements' | null>(null)
  const kinds = ownKinds()
  const query = {
    holder,
    show,
    timeZone: TIME_ZONE,
    ...(q !== '' && { q }),
    ...(typeId !== null && { typeId }),
    ...(olderThan !== null && { olderThan }),
  }
  const { data, error, refetch } = useQuery({
    queryKey: ['load-carriers', 'accounts', query],
    queryFn: ({ signal }) => callApi(listAccounts, { query, signal }),
    placeholderData: (before, asked) =>
      (asked?.queryKey[2] as { holder?: HolderKind } | undefined)?.holder === holder ? before : undefined,
  })
  const questions = useQuery({
    queryKey: ['load-carriers', 'open-questions'],
    queryFn: ({ signal }) => callApi(countOpenQuestions, { signal }),
  })
  // What is typed at a stop moves accounts, too.
  useLiveChanges('order', () => void refresh())
  useShortcut({ key: 'n', label: t('movement.new'), run: () => setAsked('movement') }, asked === null)
  const types = useMemo(() => data?.types ?? [], [data])
  const isFiltered = q !== '' || typeId !== null || olderThan !== null
  const dueCount = data?.items.filter(isStatementDue).length ?? 0
  const isOfAccounts = tab === 'accounts'
  const addressOf = (params: Record<string, string>) => `/load-carriers?${new URLSearchParams(params).toString()}`
  const accountsPart = () => (
    <>
      <div className={classes.filter}>
        <SearchField label={t('find')} q={q} onFind={(text) => go({ q: text })} />
        <SelectField
          label={<span className={classes.hidden}>{t('type')}</span>}
          aria-label={t('type')}
          allowDeselect={false}
          data={[
            { value: '', label: t('allTypes') },
            ...types.map(({ id, title }) => ({ value: String(id), label: title })),
          ]}
          value={typeId === null ? '' : String(typeId)}
          onChange={(value) => go({ typeId: value ? Number(value) : null })}
        />
        <SelectField
          label={<span className={classes.hidden}>{t('age')}</span>}
          aria-label={t('age')}
          allowDeselect={false}
          data={[
            { value: '', label: t('anyAge') },
            ...OLDER_THAN.map((days) => ({ value: days, label: t('olderThan', { days }) })),
          ]}
          value={olderThan ?? ''}
          onChange={(value) => go({ olderThan: value ? (value as '30') : null })}
        />
        <Segmented
          label={t('show.label')}
          value={show}
          onChange={(next) => go({ show: next })}
          options={[
            { value: 'open', label: t('show.open') },
            { value: 'over', label: t('show.over') },
            { value: 'all', label: t('show.all') },
          ]}
        />
      </div>
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      <div className={classes.columns} data-open={accountId !== null || undefined}>
        {error && data === undefined ? null : (
          <AccountsTable
            data={data ?? null}
            holder={holder}
            typeId={typeId}
            accountId={accountId}
            isFiltered={isFiltered}
            isOver={show === 'over'}
            onOpen={(id) => go({ accountId: id })}
          />
        )}
        {accountId === null ? (
          <p className={classes.none}>{t('chooseAccount')}</p>
        ) : (
          <AccountDetail
            key={`${holder} ${accountId}`}
            holder={holder}
            holderId={accountId}
            typeId={typeId}
            types={types}
            account={data?.items.find((one) => one.holder.id === accountId) ?? null}
            onClose={() => go({ accountId: null })}
          />
        )}
      </div>
    </>
  )
  return (
    <div className={classes.page}>
      <PageHead
        title={t('title')}
        note={types.map(({ title, priceCents }) => `${title} ${format.euro(priceCents)}`).join(' · ')}
        actions={
          <>
            {isOfAccounts ? (
              <>
                <ExportMenu exportAs={(as) => callFile(exportAccounts, { query: { ...query, format: as } })} />
                <Button disabled={data === undefined} onClick={() => setAsked('statements')}>
                  {isFiltered || show === 'over' || dueCount === 0
                    ? t('statements.open')
                    : t('statements.openCount', { count: dueCount })}
                </Button>
              </>
            ) : null}
            <Button
              variant="filled"
              leftSection={<Icon name="plus" />}
              rightSection={<KeyHint>N</KeyHint>}
              onClick={() => setAsked('movement')}
            >
              {t('movement.new')}
            </Button>
          </>
        }
      />
      <TabBar
        label={t('title')}
        current={isOfAccounts ? holder : tab}
        onSelect={(key) =>
          key === 'withoutNote' || key === 'notAgreed'
            ? go({ tab: key, accountId: null })
            : go({ tab: 'accounts', holder: key, accountId: null })
        }
        tabs={[
          ...kinds.map((kind) => ({
            key: kind,
            label: t(`holders.${kind}`),
            href: kind === kinds[0] ? '/load-carriers' : addressOf({ holder: kind }),
          })),
          ...(['withoutNote', 'notAgreed'] as const).map((key) => ({
            key,
            label: t(`tabs.${key}`),
            href: addressOf({ tab: key }),
            ...(questions.data !== undefined &&
              questions.data[key] > 0 && {
                count: format.number(questions.data[key]),
                countTone: 'warn' as const,
              }),
          })),
        ]}
      />
      {tab === 'withoutNote' ? <WithoutNoteList /> : null}
      {tab === 'notAgreed' ? <NotAgreedList /> : null}
      {isOfAccounts ? accountsPart() : null}
      {asked === 'movement' ? (
        <MovementWindow
          movement={null}
          holder={{ kind: holder, id: accountId }}
          types={types}
          onSaved={() => void refresh()}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked === 'statements' ? (
        <StatementsWindow
          key={holder}
          holder={holder}
          types={types}
          onSent={() => void refresh()}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </div>
  )
}
