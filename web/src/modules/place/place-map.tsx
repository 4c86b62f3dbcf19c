import * as leaflet from 'leaflet'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '@waybill/contract/place'
import { escaped, useBaseMap } from './base-map.ts'
import classes from './place-map.module.css'
import { positionOf, type Position } from './place-values.ts'

// How near one goes to hits and to a pin: on outlines the country around is all that tells where it
// is, on tiles it is the streets.
const OUTLINE_NEAR = { hits: 6, pin: 5 }
const TILE_NEAR = { hits: 13, pin: 14 }
const STEP_PX = 20
const FINE_STEP_PX = 2
const STEPS: Readonly<Record<string, leaflet.PointTuple>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

// The tip of the drawing is the place.
const PIN = leaflet.divIcon({
  className: classes.pin,
  iconSize: [28, 36],
  iconAnchor: [14, 35],
  html: [
    '<svg viewBox="0 0 28 36" width="28" height="36" aria-hidden="true">',
    '<path d="M14 35C6 25 2 19.5 2 13.5a12 12 0 0 1 24 0C26 19.5 22 25 14 35z"/>',
    '<circle cx="14" cy="13.5" r="4.5"/></svg>',
  ].join(''),
})

interface PlaceMapProps {
  hits: readonly Place[]
  /** The hit in hand */
  marked: string | null
  pin: Position | null
  isReadOnly: boolean
  onPick: (place: Place) => void
  /** The pin was set or moved; left out where there is none */
  onMove: ((position: Position) => void) | undefined
}

/**
 * Hits as dots and the pin, over outlines or tiles. The pin is dragged, set by a click, or moved with the arrow keys.
 */
export function PlaceMap({ hits, marked, pin, isReadOnly, onPick, onMove }: PlaceMapProps) {
  const { t } = useTranslation('place')
  const box = useRef<HTMLDivElement>(null)
  const canMove = !isReadOnly && onMove !== undefined
  const move = useEffectEvent((at: leaflet.LatLng) => {
    if (canMove) onMove({ ...positionOf({ latitude: at.lat, longitude: at.lng }) })
  })
  const pick = useEffectEvent((place: Place) => onPick(place))

  const { map, tiles, outlinesFailed } = useBaseMap(box, move)

  useEffect(() => {
    if (hits.length === 0) return
    const group = leaflet.featureGroup(
      hits.map((place) => {
        const dot = leaflet.circleMarker([place.latitude, place.longitude], {
          radius: 6,
          className: place.key === marked ? `${classes.hit} ${classes.marked}` : classes.hit,
          pane: 'markerPane',
          bubblingMouseEvents: false,
        })
        return dot
          .bindTooltip(escaped(place.title), {
            permanent: place.key === marked,
            direction: 'top',
            className: classes.name,
            offset: [0, -6],
          })
          .on('click', () => pick(place))
      }),
    )
    group.addTo(map.current!)
    return () => void group.remove()
  }, [map, hits, marked])

  const pinKey = pin === null ? null : `${pin.latitude} ${pin.longitude}`
  const show = useEffectEvent(() => {
    const near = tiles === null ? OUTLINE_NEAR : TILE_NEAR
    // At once: while Leaflet still moves to one view it does not hear of the next.
    if (hits.length > 0)
      map.current!.fitBounds(leaflet.latLngBounds(hits.map(({ latitude, longitude }) => [latitude, longitude])), {
        padding: [30, 30],
        maxZoom: near.hits,
        animate: false,
      })
    else if (pin !== null)
      map.current!.setView([pin.latitude, pin.longitude], Math.max(map.current!.getZoom(), near.pin), {
        animate: false,
      })
  })
  useEffect(() => show(), [hits, tiles])
  const follow = useEffectEvent(() => {
    if (pin === null || hits.length > 0) return
    const at: leaflet.LatLngTuple = [pin.latitude, pin.longitude]
    // A pin set far away is gone to; one that is moved by hand takes the map along at its edge.
    if (map.current!.getBounds().pad(1).contains(at)) map.current!.panInside(at, { padding: [30, 40] })
    else show()
  })

  const marker = useRef<leaflet.Marker | null>(null)
  const label = t(canMove ? 'pinMovable' : 'pin')
  useEffect(() => {
    if (pinKey === null) return
    const [latitude, longitude] = pinKey.split(' ').map(Number)
    const at: leaflet.LatLngTuple = [latitude!, longitude!]
    follow()
    if (marker.current !== null) {
      marker.current.setLatLng(at)
      return
    }
    const set = leaflet
      .marker(at, { icon: PIN, draggable: canMove, keyboard: canMove, autoPanOnFocus: false })
      .addTo(map.current!)
    marker.current = set
    set.on('dragend', () => move(set.getLatLng()))
    set.getElement()!.addEventListener('keydown', (event) => {
      const step = STEPS[event.key]
      if (step === undefined) return
      event.preventDefault()
      // Or the map would go along.
      event.stopPropagation()
      const px = event.shiftKey ? FINE_STEP_PX : STEP_PX
      move(
        map.current!.containerPointToLatLng(
          map.current!.latLngToContainerPoint(set.getLatLng()).add([step[0] * px, step[1] * px]),
        ),
      )
    })
  }, [map, pinKey, canMove])
  useEffect(() => {
    const element = marker.current?.getElement()
    element?.setAttribute('aria-label', label)
    if (!canMove) element?.setAttribute('role', 'img')
  }, [label, canMove, pinKey])
  const hasPin = pin !== null
  useEffect(
    () => () => {
      marker.current?.remove()
      marker.current = null
    },
    [hasPin, canMove],
  )

  return (
    <div className={classes.frame}>
      <div
        ref={box}
        className={classes.map}
        role="application"
        aria-label={t('map')}
        data-tiles={tiles !== null || undefined}
      />
      <div className={classes.foot}>
        {outlinesFailed ? <span role="status">{t('noOutlines')}</span> : null}
        {canMove && pin === null ? (
          <button type="button" className={classes.set} onClick={() => move(map.current!.getCenter())}>
            {t('setPin')}
          </button>
        ) : null}
        <span className={classes.credit}>
          {tiles === null ? null : `${tiles.attribution} · `}
          {t('credit')}
        </span>
      </div>
    </div>
  )
}
