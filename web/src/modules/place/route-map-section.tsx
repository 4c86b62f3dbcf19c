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

const NEAR = 9

/** The stops of a route on a map, and the way between them: the road where it is known, else straight lines. */
export function RouteMapSection({
  stops,
  line,
}: {
  stops: readonly MappedStop[]
  line: readonly (readonly [number, number])[] | null
}) {
  const { t } = useTranslation('place')
  const box = useRef<HTMLDivElement>(null)
  const { map, tiles, outlinesFailed } = useBaseMap(box)
  const names = stops.map(({ number, title }) => `${number} ${title}`).join(', ')

  useEffect(() => {
    const found = stops.flatMap(({ position, ...stop }) =>
      position === null ? [] : [{ ...stop, at: [position.latitude, position.longitude] as leaflet.LatLngTuple }],
    )
    if (found.length === 0) return
    const way =
      line === null
        ? found.map(({ at }) => at)
        : line.map(([latitude, longitude]): leaflet.LatLngTuple => [latitude, longitude])
    const group = leaflet.featureGroup([
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
    ])
    group.addTo(map.current!)
    map.current!.fitBounds(group.getBounds(), { padding: [24, 24], maxZoom: NEAR, animate: false })
    return () => void group.remove()
  }, [map, stops, line])

  return (
    <div className={classes.frame}>
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
