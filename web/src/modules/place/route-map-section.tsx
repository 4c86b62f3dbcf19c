import * as leaflet from 'leaflet'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { stopColor } from '../../ui/marks/marks.tsx'
import { escaped, useBaseMap } from './base-map.ts'
import classes from './place-map.module.css'
import type { Position } from './place-values.ts'

export interface MappedStop {
  /** from 1, as it stands on the order */
  number: number
  title: string
  position: Position | null
}

/** A place that is marked beside the route. */
export interface MappedSpot {
  title: string
  position: Position
}

const NEAR = 9
const NONE: readonly MappedSpot[] = []

/**
 * The stops of a route on a map, and the way between them: the road where it is known, else straight lines. `others`
 * are marked beside it; the map shows them where there is no route.
 */
export function RouteMapSection({
  stops,
  line,
  others = NONE,
  isTall = false,
}: {
  stops: readonly MappedStop[]
  line: readonly (readonly [number, number])[] | null
  others?: readonly MappedSpot[]
  isTall?: boolean
}) {
  const { t } = useTranslation('place')
  const box = useRef<HTMLDivElement>(null)
  const { map, tiles, outlinesFailed } = useBaseMap(box)
  const names = stops.map(({ number, title }) => `${number} ${title}`).join(', ')

  useEffect(() => {
    const found = stops.flatMap(({ position, ...stop }) =>
      position === null ? [] : [{ ...stop, at: [position.latitude, position.longitude] as leaflet.LatLngTuple }],
    )
    if (found.length === 0 && others.length === 0) return
    const way =
      line === null
        ? found.map(({ at }) => at)
        : line.map(([latitude, longitude]): leaflet.LatLngTuple => [latitude, longitude])
    const spots = others.map(({ title, position }) =>
      leaflet
        .circleMarker([position.latitude, position.longitude], { radius: 5, weight: 1.5, className: classes.waiting })
        .bindTooltip(escaped(title), { direction: 'top', className: classes.name }),
    )
    const route = [
      leaflet.polyline(way, {
        className: classes.way,
        interactive: false,
        weight: 3,
        ...(line === null && { dashArray: '5 6' }),
      }),
      ...found.map(({ number, title, at }) => {
        const icon = leaflet.divIcon({
          className: `${classes.stop} ${classes[`stop${stopColor(number)}`]}`,
          iconSize: [18, 18],
          html: String(number),
        })
        return leaflet
          .marker(at, { icon, keyboard: false })
          .bindTooltip(escaped(title), { direction: 'top', className: classes.name, offset: [0, -8] })
      }),
    ]
    const group = leaflet.featureGroup([...spots, ...route]).addTo(map.current!)
    const seen = leaflet.featureGroup(found.length > 0 ? route : spots)
    map.current!.fitBounds(seen.getBounds(), { padding: [24, 24], maxZoom: NEAR, animate: false })
    return () => void group.remove()
  }, [map, stops, line, others])

  return (
    <div className={classes.frame} data-tall={isTall || undefined}>
      <div
        ref={box}
        className={classes.map}
        role="application"
        aria-label={t('routeMap', { stops: names })}
        data-tiles={tiles !== null || undefined}
      />
      <div className={classes.foot}>
        {outlinesFailed ? <span role="status">{t('noOutlines')}</span> : null}
        <span className={classes.credit}>
          {tiles === null ? null : `${tiles.attribution} · `}
          {t('credit')}
        </span>
      </div>
    </div>
  )
}
