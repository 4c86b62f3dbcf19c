import { measureDistance, type Distance } from '@waybill/contract/place'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { FormNumber } from '../../../kit/form/fields/fields.tsx'
import { useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { useErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import type { MappedStop } from '../../place/route-map-section.tsx'
import type { StopValues } from '../values/draft.ts'
import classes from './routes-section.module.css'

const RouteMapSection = lazy(() =>
  import('../../place/route-map-section.tsx').then((file) => ({ default: file.RouteMapSection })),
)

const STALE_MS = 300_000
const MINUTES = 60

/** Where a stop is, as the service asks for it; null where it does not say. */
function whereaboutsOf({ latitude, longitude, countryId, city }: StopValues): string | null {
  if (latitude !== null && longitude !== null && !Number.isNaN(latitude) && !Number.isNaN(longitude))
    return `${latitude},${longitude}`
  return countryId === null || city === null ? null : `${countryId} ${city}`
}

const distanceQuery = (stops: readonly string[]) => ({
  queryKey: ['places', 'distance', ...stops],
  queryFn: ({ signal }: { signal: AbortSignal }) => callApi(measureDistance, { query: { stops: [...stops] }, signal }),
  staleTime: STALE_MS,
  retry: false,
  meta: { showsRefusals: true },
})

/** How far a route is; null where a stop does not say where it is, or nobody knows the place. */
export async function measureRoute(queries: QueryClient, stops: readonly StopValues[]): Promise<Distance | null> {
  const asked = stops.map(whereaboutsOf)
  if (asked.length < 2 || asked.includes(null)) return null
  const distance = await queries.fetchQuery(distanceQuery(asked as string[]))
  return distance.distanceKm === null ? null : distance
}

/** The distance of a route: typed, measured by road or estimated, and then marked so; the route on a map. */
export function RouteDistance({
  at,
  stops,
  numbers,
}: {
  at: string
  stops: readonly StopValues[] /** the stops' places on the order, from 1 */
  numbers: readonly number[]
}) {
  const { t } = useTranslation(['order-parts', 'order'])
  const form = useFormContext()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const km = useFormValue<number | null>(`${at}.distanceKm`)
  const isEstimated = useFormValue<boolean>(`${at}.isDistanceEstimated`)
  const [isBusy, setBusy] = useState(false)
  const [isMapOpen, setMapOpen] = useState(false)
  const lost = stops.flatMap((stop, index) => (whereaboutsOf(stop) === null ? [numbers[index]!] : []))
  const measure = async () => {
    setBusy(true)
    try {
      const distance = await measureRoute(queries, stops)
      if (distance === null)
        notify({
          tone: 'warn',
          title: t('distance.unknown'),
          detail:
            lost.length > 0
              ? t('distance.lost', { count: lost.length, stops: lost.join(', ') })
              : t('distance.unknownTown'),
          closeLabel: t('order:close'),
        })
      else {
        form.set(`${at}.distanceKm`, distance.distanceKm)
        form.set(`${at}.isDistanceEstimated`, distance.isEstimated)
      }
    } catch (error) {
      notify({ tone: 'danger', title: t('distance.unknown'), detail: errorText(error), closeLabel: t('order:close') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {/* What is typed by hand is somebody's word for it. */}
      <div onInput={(event) => form.set(`${at}.isDistanceEstimated`, (event.target as HTMLInputElement).value === '')}>
        <FormNumber
          name={`${at}.distanceKm`}
          label={t('order:routeFields.distanceKm')}
          note={km !== null && isEstimated ? t('distance.estimated') : undefined}
          isCalculated={km !== null && isEstimated}
          unit="km"
          places={1}
        />
      </div>
      <div className={classes.distanceButtons}>
        <Button
          size="compact-sm"
          loading={isBusy}
          disabled={form.isReadOnly || stops.length < 2}
          leftSection={<Icon name="refresh" size={13} />}
          onClick={() => void measure()}
        >
          {t('distance.measure')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-expanded={isMapOpen}
          disabled={stops.length === 0}
          leftSection={<Icon name="pin" size={13} />}
          onClick={() => setMapOpen(!isMapOpen)}
        >
          {t('distance.map')}
        </Button>
      </div>
      {isMapOpen ? (
        <div className={classes.whole}>
          <RouteMap stops={stops} numbers={numbers} />
        </div>
      ) : null}
    </>
  )
}

function RouteMap({ stops, numbers }: { stops: readonly StopValues[]; numbers: readonly number[] }) {
  const { t } = useTranslation(['order-parts', 'order'])
  const format = useFormat()
  const asked = stops.map(whereaboutsOf)
  const known = asked.filter((where) => where !== null)
  const { data, error, refetch } = useQuery({ ...distanceQuery(known), enabled: known.length > 1 })
  const nameless = t('order:stop')
  const found = asked.map((where, index): MappedStop => {
    const stop = stops[index]!
    return {
      number: numbers[index]!,
      title: stop.city ?? stop.companyTitle ?? `${nameless} ${numbers[index]}`,
      position: where === null ? null : (data?.positions[known.indexOf(where)] ?? null),
    }
  })
  // The map is drawn anew when they say something else, not at every key.
  const text = JSON.stringify(found)
  const mapped = useMemo(() => JSON.parse(text) as MappedStop[], [text])
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  const hours =
    data?.drivingMinutes == null
      ? null
      : t('distance.driving', {
          hours: format.number(Math.floor(data.drivingMinutes / MINUTES)),
          minutes: format.number(data.drivingMinutes % MINUTES),
        })
  const away = mapped.filter(({ position }) => position === null).map(({ number }) => number)
  return (
    <>
      <Suspense fallback={<SkeletonLines lines={8} label={t('order:loading')} />}>
        <RouteMapSection stops={mapped} line={data?.line ?? null} />
      </Suspense>
      {data === undefined ? null : (
        <p className={classes.legs}>
          {data.legsKm.map((km) => (km === null ? '–' : `${format.number(km, 0, 0)} km`)).join(' + ')}
          {data.isEstimated ? ` · ${t('distance.estimated')}` : ''}
          {hours === null ? '' : ` · ${hours}`}
          {away.length > 0 ? ` · ${t('distance.lost', { count: away.length, stops: away.join(', ') })}` : ''}
        </p>
      )}
    </>
  )
}
