import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getPaperPeriods,
  PAPER_KINDS,
  PAPER_YEARS,
  setPaperPeriods,
  usualYears,
  type PaperPeriods,
} from '@waybill/contract/operations/paper-periods'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../kit/api/api-error.ts'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import classes from './operations-page.module.css'
import { PaperPreviewWindow } from './paper-preview.tsx'
import { usePeriodText } from './period-text.ts'

const KEY = ['operations', 'paper-periods']
type Country = PaperPeriods['countries'][number]
type Years = Country['years'][(typeof PAPER_KINDS)[number]]

/** After how many calendar years mails and papers are deleted, for each country in which we have a company. */
export function PaperPeriodsSection() {
  const { t } = useTranslation('operations')
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => callApi(getPaperPeriods, { signal }),
    refetchOnMount: 'always',
    meta: { showsRefusals: true },
  })
  return (
    <Section title={t('papers.title')}>
      <p className={classes.means}>{t('papers.means')}</p>
      {data !== undefined ? (
        <Periods key={data.version} kept={data} />
      ) : error === null ? (
        <SkeletonLines lines={4} label={t('papers.loading')} />
      ) : (
        <LoadError error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  )
}

/** True where a period is new, or shorter than it was: something may be deleted by it. */
const isShorter = (before: Years, after: Years): boolean => after !== null && (before === null || after < before)

const anyOf = (countries: readonly Country[], is: (country: Country, kind: (typeof PAPER_KINDS)[number]) => boolean) =>
  countries.some((country) => PAPER_KINDS.some((kind) => is(country, kind)))

function Periods({ kept }: { kept: PaperPeriods }) {
  const { t } = useTranslation('operations')
  const errorText = useErrorText()
  const format = useFormat()
  const periodText = usePeriodText()
  const client = useQueryClient()
  const [countries, setCountries] = useState(kept.countries)
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [shown, setShown] = useState<Country | null>(null)
  const before = (id: number) => kept.countries.find((country) => country.id === id)!.years
  const change = (id: number, years: Country['years']) =>
    setCountries((all) => all.map((country) => (country.id === id ? { ...country, years } : country)))
  const isChanged = anyOf(countries, ({ id, years }, kind) => years[kind] !== before(id)[kind])
  const save = async () => {
    setBusy(true)
    try {
      const body = { countries: countries.map(({ id, years }) => ({ id, years })) }
      client.setQueryData(KEY, await callApi(setPaperPeriods, { body, version: kept.version }))
      notify({ tone: 'ok', title: t('papers.saved'), closeLabel: t('close') })
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
        if (anyOf(countries, ({ id, years }, kind) => isShorter(before(id)[kind], years[kind]))) setAsked(true)
        else void save()
      }}
    >
      {countries.map((country) => {
        const { id, code, title, years } = country
        const usual = usualYears(code)
        return (
          <fieldset key={id} className={classes.ofCountry}>
            <legend>{t('papers.inCountry', { country: title })}</legend>
            {PAPER_KINDS.map((kind) => (
              <div key={kind} className={classes.period}>
                <SelectField
                  label={t(`papers.kinds.${kind}`)}
                  data={[
                    { value: '', label: t('retention.never') },
                    ...PAPER_YEARS.map((one) => ({ value: String(one), label: periodText(one * 12) })),
                  ]}
                  allowDeselect={false}
                  isChanged={years[kind] !== before(id)[kind]}
                  value={String(years[kind] ?? '')}
                  onChange={(value) =>
                    change(id, { ...years, [kind]: value === '' || value === null ? null : (Number(value) as Years) })
                  }
                />
                <span className={classes.dim}>{t('papers.usualHint', { years: periodText(usual[kind] * 12) })}</span>
              </div>
            ))}
            <div className={classes.buttons}>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t('papers.usualOf', { country: title })}
                onClick={() => change(id, usual)}
              >
                {t('papers.usual')}
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                disabled={PAPER_KINDS.every((kind) => years[kind] === null)}
                aria-label={t('papers.showOf', { country: title })}
                onClick={() => setShown(country)}
              >
                {t('papers.show')}
              </Button>
            </div>
          </fieldset>
        )
      })}
      {kept.lastRun === null ? null : (
        <p className={classes.dim}>
          {t('retention.last')}:{' '}
          {PAPER_KINDS.map((kind) => `${t(`papers.kinds.${kind}`)} ${format.number(kept.lastRun!.counts[kind])}`).join(
            ', ',
          )}
        </p>
      )}
      <div className={classes.buttons}>
        <Button type="submit" size="compact-sm" variant="filled" disabled={!isChanged || isBusy}>
          {t('retention.save')}
        </Button>
      </div>
      <ConfirmModal
        isOpen={isAsked}
        title={t('papers.confirm.title')}
        confirmLabel={t('papers.confirm.yes')}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={isBusy}
        onCancel={() => setAsked(false)}
        onConfirm={() => void save()}
      >
        {t('papers.confirm.text')}
        {anyOf(countries, ({ code, years }, kind) => years[kind] !== null && years[kind]! < usualYears(code)[kind]) ? (
          <Notice tone="warn">{t('papers.confirm.shorter')}</Notice>
        ) : null}
      </ConfirmModal>
      <PaperPreviewWindow shown={shown} onClose={() => setShown(null)} />
    </form>
  )
}
