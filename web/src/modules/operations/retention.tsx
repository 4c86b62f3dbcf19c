import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getRetention,
  PERSON_KINDS,
  RETENTION_MONTHS,
  setRetention,
  type PersonKind,
  type Retention,
} from '@waybill/contract/operations/retention'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import classes from './operations-page.module.css'
import { usePeriodText } from './period-text.ts'
import { RetentionPreviewWindow } from './retention-preview.tsx'

const KEY = ['operations', 'retention']
type Months = Retention['periods'][PersonKind]

/** After which time without use records of persons become anonymous; who that would be is looked at before. */
export function RetentionSection() {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi(getRetention, { signal }),
    refetchOnMount: 'always',
    meta: { showsRefusals: true },
  })
  return (
    <Section title={t('retention.title')}>
      <p className={classes.means}>{t('retention.means')}</p>
      {data !== undefined ? (
        <Periods key={data.version} kept={data} />
      ) : error === null ? (
        <SkeletonLines lines={4} label={t('retention.loading')} />
      ) : (
        <LoadError error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  )
}

/** True where a period is new, or shorter than it was: somebody may become anonymous by it. */
const isShorter = (before: Months, after: Months): boolean => after !== null && (before === null || after < before)

function Periods({ kept }: { kept: Retention }) {
  const { t } = useTranslation('operations')
  const errorText = useErrorText()
  const format = useFormat()
  const periodText = usePeriodText()
  const client = useQueryClient()
  const [periods, setPeriods] = useState(kept.periods)
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [shown, setShown] = useState<{ kind: PersonKind; months: number } | null>(null)
  const isChanged = PERSON_KINDS.some((kind) => periods[kind] !== kept.periods[kind])
  const save = async () => {
    setBusy(true)
    try {
      const saved = await callApi(setRetention, { body: { periods }, version: kept.version })
      client.setQueryData(KEY, saved)
      notify({ tone: 'ok', title: t('retention.saved'), closeLabel: t('close') })
    } catch (refused) {
      const isStale = hasCode(refused, 'stale_version')
      notify({
        tone: 'danger',
        title: t('notDone'),
        detail: isStale ? t('retention.changed') : errorText(refused),
        closeLabel: t('close'),
      })
      if (isStale) await client.invalidateQueries({ queryKey: KEY })
    }
    setBusy(false)
    setAsked(false)
  }
  return (
    <form
      className={classes.periods}
      onSubmit={(event) => {
        event.preventDefault()
        if (PERSON_KINDS.some((kind) => isShorter(kept.periods[kind], periods[kind]))) setAsked(true)
        else void save()
      }}
    >
      {PERSON_KINDS.map((kind) => (
        <div key={kind} className={classes.period}>
          <SelectField
            label={t(`retention.kinds.${kind}`)}
            data={[
              { value: '', label: t('retention.never') },
              ...RETENTION_MONTHS.map((months) => ({ value: String(months), label: periodText(months) })),
            ]}
            allowDeselect={false}
            isChanged={periods[kind] !== kept.periods[kind]}
            value={String(periods[kind] ?? '')}
            onChange={(value) =>
              setPeriods({ ...periods, [kind]: value === '' || value === null ? null : (Number(value) as Months) })
            }
          />
          {kept.lastRun === null ? null : (
            <span className={classes.dim}>
              {t('retention.last')}: {format.number(kept.lastRun.counts[kind])}
            </span>
          )}
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={periods[kind] === null}
            aria-label={t('retention.showOf', { kind: t(`retention.kinds.${kind}`) })}
            onClick={() => setShown({ kind, months: periods[kind]! })}
          >
            {t('retention.show')}
          </Button>
        </div>
      ))}
      <div className={classes.buttons}>
        <Button type="submit" size="compact-sm" variant="filled" disabled={!isChanged || isBusy}>
          {t('retention.save')}
        </Button>
      </div>
      <ConfirmModal
        isOpen={isAsked}
        withInfoIcon
        title={t('retention.confirm.title')}
        confirmLabel={t('retention.confirm.yes')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={isBusy}
        onCancel={() => setAsked(false)}
        onConfirm={() => void save()}
      >
        {t('retention.confirm.text')}
      </ConfirmModal>
      <RetentionPreviewWindow shown={shown} onClose={() => setShown(null)} />
    </form>
  )
}
