import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { exportAccounts, listAccounts, type HolderKind } from '@waybill/contract/load-carrier/account'
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
import { useRefreshAccounts } from './use-accounts.ts'

const MovementWindow = lateWindow(() => import('./movement-window.tsx').then((file) => file.MovementWindow))

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

/** Accounts of load carriers by customer, carrier and place; beside them the movements of the one that is chosen. */
export function LoadCarriersPage() {
  const { t } = useTranslation('load-carrier')
  const format = useFormat()
  const refresh = useRefreshAccounts()
  const [shown, go] = useAccountsAddress()
  const { holder, q, typeId, show, olderThan, accountId } = shown
  const [isEntering, setEntering] = useState(false)
  const kinds = ownKinds()
  const query = {
    holder,
    show,
    timeZone,
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
  // What is typed at a stop moves accounts, too.
  useLiveChanges('order', () => void refresh())
  useShortcut({ key: 'n', label: t('movement.new'), run: () => setEntering(true) }, !isEntering)
  const types = useMemo(() => data?.types ?? [], [data])
  const isFiltered = q !== '' || typeId !== null || olderThan !== null
  return (
    <div className={classes.page}>
      <PageHead
        title={t('title')}
        note={types.map(({ title, priceCents }) => `${title} ${format.euro(priceCents)}`).join(' · ')}
        actions={
          <>
            <ExportMenu exportAs={(as) => callFile(exportAccounts, { query: { ...query, format: as } })} />
            <Button
              variant="filled"
              leftSection={<Icon name="plus" />}
              rightSection={<KeyHint>N</KeyHint>}
              onClick={() => setEntering(true)}
            >
              {t('movement.new')}
            </Button>
          </>
        }
      />
      <TabBar
        label={t('title')}
        current={holder}
        onSelect={(kind) => go({ holder: kind, accountId: null })}
        tabs={kinds.map((kind) => ({
          key: kind,
          label: t(`holders.${kind}`),
          href: `/load-carriers${kind === kinds[0] ? '' : `?holder=${kind}`}`,
        }))}
      />
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
      {isEntering ? (
        <MovementWindow
          movement={null}
          holder={{ kind: holder, id: accountId }}
          types={types}
          onSaved={() => void refresh()}
          onClose={() => setEntering(false)}
        />
      ) : null}
    </div>
  )
}
