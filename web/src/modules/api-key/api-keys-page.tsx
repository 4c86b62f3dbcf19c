import { Button, VisuallyHidden } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listApiKeys, revokeApiKey, type ApiKey } from '@waybill/contract/api-key/api-key'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { Mark } from '../../ui/marks/marks.tsx'
import { EmptyState } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { usePermissionWords } from '../user-role/permission-section.tsx'
import classes from './api-key.module.css'
import { NewKey } from './new-key.tsx'

const KEYS = ['api-keys']
const LEVELS = { active: 1, ownerInactive: 2, expired: 3, revoked: 3 } as const
const PHONE_GRID = '"title state" auto "owner revoke" auto "rights rights" auto / minmax(0, 1fr) auto'

/** The keys with which other systems call: what each may do, whether it is used, and its end. */
export function ApiKeysPage() {
  const { t } = useTranslation('api-key')
  const errorText = useErrorText()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => callApi(listApiKeys, { signal }),
    meta: { showsRefusals: true },
  })
  const [isMaking, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const [isBusy, setBusy] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: KEYS })
  const columns = useColumns(setRevoking)

  const revoke = async () => {
    if (revoking === null) return
    setBusy(true)
    try {
      await callApi(revokeApiKey, { params: { id: revoking.id } })
    } catch (refused) {
      notify({ tone: 'danger', title: t('notRevoked'), detail: errorText(refused), closeLabel: t('close') })
    }
    setBusy(false)
    setRevoking(null)
    await refresh()
  }

  const newKey = (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => setMaking(true)}>
      {t('new')}
    </Button>
  )
  return (
    <div className={classes.page}>
      <PageHead title={t('title')} actions={newKey} />
      <p className={classes.means}>{t('means')}</p>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.table}>
          <DataTable<ApiKey>
            label={t('title')}
            columns={columns}
            rows={data?.items ?? null}
            rowKey={({ id }) => id}
            rowName={({ title }) => title}
            skeletonRows={4}
            empty={
              <EmptyState icon="key" title={t('empty')}>
                {t('emptyMeans')}
              </EmptyState>
            }
            phoneGrid={PHONE_GRID}
            minWidth={980}
          />
        </div>
      )}
      {isMaking ? <NewKey onMade={() => void refresh()} onClose={() => setMaking(false)} /> : null}
      <ConfirmModal
        isOpen={revoking !== null}
        withInfoIcon
        title={t('revokeTitle', { title: revoking?.title })}
        confirmLabel={t('revoke')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={isBusy}
        onCancel={() => setRevoking(null)}
        onConfirm={() => void revoke()}
      >
        {t('revokeText')}
      </ConfirmModal>
    </div>
  )
}

function useColumns(onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  const { t } = useTranslation('api-key')
  const format = useFormat()
  const words = usePermissionWords()
  return useMemo(
    (): readonly Column<ApiKey>[] => [
      {
        key: 'title',
        head: t('column.title'),
        cell: ({ title, hint }) => (
          <span className={classes.title} title={title}>
            <b>{title}</b>
            <span className={classes.hint}>…{hint}</span>
          </span>
        ),
      },
      { key: 'owner', head: t('column.owner'), width: 160, cell: ({ owner }) => owner.title },
      {
        key: 'rights',
        head: t('column.rights'),
        cell: ({ permissions, effective, state }) => {
          const lost = state === 'active' && effective.length < permissions.length
          const named = permissions.map((permission) => words(permission).title).join(', ')
          return (
            <span className={classes.rights} title={lost ? t('lost') : named}>
              {lost ? (
                <>
                  <Mark level={2} title={t('lost')}>
                    {t('counts', { count: effective.length, of: permissions.length })}
                  </Mark>{' '}
                </>
              ) : null}
              {named}
            </span>
          )
        },
      },
      {
        key: 'state',
        head: t('column.state'),
        width: 150,
        cell: ({ state, revokedAt, revokedBy }) => (
          <Mark
            level={LEVELS[state]}
            {...(revokedAt !== null && {
              title: t('revokedBy', { name: revokedBy?.title, time: format.dateTime(revokedAt) }),
            })}
          >
            {t(`state.${state}`)}
          </Mark>
        ),
      },
      {
        key: 'expires',
        head: t('column.expires'),
        width: 108,
        isHiddenOnPhone: true,
        cell: ({ expiresAt }) => <span title={format.dateTime(expiresAt)}>{format.day(expiresAt)}</span>,
      },
      {
        key: 'used',
        head: t('column.used'),
        width: 130,
        isHiddenOnPhone: true,
        cell: ({ lastUsedAt }) =>
          lastUsedAt === null ? (
            <span className={classes.dim}>{t('unused')}</span>
          ) : (
            <span title={format.dateTime(lastUsedAt)}>{format.ago(lastUsedAt)}</span>
          ),
      },
      {
        key: 'revoke',
        head: <VisuallyHidden>{t('column.do')}</VisuallyHidden>,
        width: 116,
        align: 'end',
        cell: (key) =>
          key.state === 'revoked' ? null : (
            <Button size="compact-sm" aria-label={t('revokeOne', { title: key.title })} onClick={() => onRevoke(key)}>
              {t('revoke')}
            </Button>
          ),
      },
    ],
    [t, format, words, onRevoke],
  )
}
