import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { createApiKey, getKeyRights, KEY_PERMISSIONS } from '@waybill/contract/api-key/api-key'
import type { Permission } from '@waybill/contract/permissions'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { CopyButton } from '../../kit/session/copy-button.tsx'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import { UserSelect } from '../user/user-select.tsx'
import { usePermissionWords } from '../user-role/permission-section.tsx'
import classes from './api-key.module.css'

const DAYS = ['30', '90', '180', '365'] as const

/** What is said of a key before it is made. The key itself is kept nowhere. */
interface TypedKey {
  title: string
  ownerId: number | null
  permissions: readonly Permission[]
  days: string
}

const NOTHING: TypedKey = { title: '', ownerId: null, permissions: [], days: '365' }

/** Makes a key: for what, in whose name, what it may do and how long; then shows it, this once. */
export function NewKey({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const { t } = useTranslation('api-key')
  const refusalWords = useRefusalWords()
  const typed = useKept<TypedKey>('api-keys', 'new', NOTHING)
  const { title, ownerId, permissions: chosen, days } = typed.values
  const make = useMutation({
    mutationFn: (owner: number) =>
      callApi(createApiKey, {
        body: { title: title.trim(), ownerId: owner, permissions: [...chosen], days: Number(days) },
      }),
    onSuccess: () => {
      void typed.forget()
      onMade()
    },
  })
  const giveUp = () => {
    void typed.forget()
    onClose()
  }
  const why =
    title.trim() === ''
      ? t('need.title')
      : ownerId === null
        ? t('need.owner')
        : chosen.length === 0
          ? t('need.rights')
          : null
  if (make.data !== undefined) return <MadeKey title={make.data.title} token={make.data.token} onClose={onClose} />
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      title={t('new')}
      closeLabel={t('close')}
      onSubmit={() => {
        if (why === null && ownerId !== null && !make.isPending) make.mutate(ownerId)
      }}
      footer={
        <>
          <Button variant="default" onClick={giveUp}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            variant="filled"
            loading={make.isPending}
            disabled={why !== null}
            title={why ?? undefined}
          >
            {t('make')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {make.error === null ? null : (
          <Notice tone="danger" isUrgent>
            {[...new Set(refusalWords(make.error))].join('. ')}
          </Notice>
        )}
        <TextField
          data-autofocus
          label={t('field.title')}
          hint={t('field.titleMeans')}
          isRequired
          maxLength={100}
          autoComplete="off"
          value={title}
          onChange={(event) => typed.change({ title: event.currentTarget.value })}
        />
        <UserSelect
          label={t('field.owner')}
          hint={t('field.ownerMeans')}
          isRequired
          value={ownerId}
          onChange={(id) => typed.change({ ownerId: id, permissions: [] })}
        />
        {ownerId === null ? null : (
          <RightChoices ownerId={ownerId} chosen={chosen} onChange={(permissions) => typed.change({ permissions })} />
        )}
        <SelectField
          label={t('field.days')}
          allowDeselect={false}
          data={DAYS.map((value) => ({ value, label: t('field.dayCount', { count: Number(value) }) }))}
          value={days}
          onChange={(value) => typed.change({ days: value ?? '365' })}
        />
      </div>
    </ModalFrame>
  )
}

/** What the owner lacks cannot be ticked, and says why. */
function RightChoices({
  ownerId,
  chosen,
  onChange,
}: {
  ownerId: number
  chosen: readonly Permission[]
  onChange: (chosen: readonly Permission[]) => void
}) {
  const { t } = useTranslation('api-key')
  const words = usePermissionWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['api-keys', 'rights', ownerId],
    queryFn: ({ signal }) => callApi(getKeyRights, { params: { userId: ownerId }, signal }),
    meta: { showsRefusals: true },
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={6} label={t('field.rights')} />
  return (
    <fieldset className={classes.permissions}>
      <legend>{t('field.rights')}</legend>
      {KEY_PERMISSIONS.map((permission) => {
        const isLacking = !data.permissions.includes(permission)
        const { title, meaning } = words(permission)
        return (
          <CheckField
            key={permission}
            label={title}
            description={isLacking ? t('field.lacking') : meaning}
            checked={chosen.includes(permission)}
            disabled={isLacking}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked ? [...chosen, permission] : chosen.filter((one) => one !== permission),
              )
            }
          />
        )
      })}
    </fieldset>
  )
}

/** The key itself, told this once. */
function MadeKey({ title, token, onClose }: { title: string; token: string; onClose: () => void }) {
  const { t } = useTranslation('api-key')
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t('made.title', { title })}
      closeLabel={t('close')}
      onSubmit={onClose}
      footer={
        <Button type="submit" variant="filled">
          {t('made.done')}
        </Button>
      }
    >
      <div className={classes.form}>
        <Notice tone="warn" icon="key">
          {t('made.text')}
        </Notice>
        <p className={classes.token} aria-label={t('made.key')} role="group" tabIndex={0} data-autofocus>
          {token}
        </p>
        <span className={classes.copy}>
          <CopyButton text={token} label={t('made.copy')} />
        </span>
      </div>
    </ModalFrame>
  )
}
