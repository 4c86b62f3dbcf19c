import * as leaflet from 'leaflet'
import 'leaflet/dist/leaflet.css'
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { feature } from 'topojson-client'
import classes from './place-map.module.css'
import { useOutlines, useTiles } from './use-places.ts'

const EUROPE: leaflet.LatLngTuple = [50.5, 12]
const EUROPE_ZOOM = 4
// Outlines have no streets: nearer there is nothing to see.
const OUTLINE_ZOOM = 10
const TILE_ZOOM = 18
const TILES_ABOVE = 300

interface BaseMap {
  map: RefObject<leaflet.Map | null>
  /** Where tiles come from; null: outlines alone */
  tiles: ReturnType<typeof useTiles>
  outlinesFailed: boolean
}

/** A map of outlines, under tiles where the settings name some, in the element of `box`. */
export function useBaseMap(box: RefObject<HTMLDivElement | null>, onClick?: (at: leaflet.LatLng) => void): BaseMap {
  const { t, i18n } = useTranslation('place')
  const map = useRef<leaflet.Map | null>(null)
  const outlines = useOutlines()
  const tiles = useTiles()
  const click = useEffectEvent((at: leaflet.LatLng) => onClick?.(at))

  useEffect(() => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const drawn = leaflet.map(box.current!, {
      attributionControl: false,
      zoomControl: false,
      center: EUROPE,
      zoom: EUROPE_ZOOM,
      minZoom: 2,
      maxZoom: OUTLINE_ZOOM,
      maxBounds: [
        [-85, -200],
        [85, 200],
      ],
      // The page scrolls over the map, by wheel and by finger; a map in hand takes the wheel.
      scrollWheelZoom: false,
      dragging: !leaflet.Browser.mobile,
      zoomAnimation: !isCalm,
      fadeAnimation: !isCalm,
      markerZoomAnimation: !isCalm,
    })
    map.current = drawn
    drawn.on('focus', () => drawn.scrollWheelZoom.enable())
    drawn.on('blur', () => drawn.scrollWheelZoom.disable())
    drawn.on('click', (event) => click(event.latlng))
    const observer = new ResizeObserver(() => drawn.invalidateSize())
    observer.observe(box.current!)
    return () => {
      observer.disconnect()
      drawn.remove()
      map.current = null
    }
  }, [box])

  useEffect(() => {
    const control = leaflet.control.zoom({ zoomInTitle: t('zoomIn'), zoomOutTitle: t('zoomOut') }).addTo(map.current!)
    return () => void control.remove()
  }, [t, i18n.language])

  useEffect(() => {
    if (outlines.data === undefined) return
    const layer = leaflet
      .geoJSON(feature(outlines.data, outlines.data.objects.countries), {
        interactive: false,
        style: { className: classes.land, weight: 1 },
      })
      .addTo(map.current!)
    layer.bringToBack()
    return () => void layer.remove()
  }, [outlines.data])

  useEffect(() => {
    if (tiles === null) return
    map.current!.setMaxZoom(TILE_ZOOM)
    // Above the outlines, which Leaflet gives 200, since those show where a tile did not come.
    // OpenStreetMap's servers ask whose page it is; its address is all they are told.
    const layer = leaflet
      .tileLayer(tiles.url, {
        maxZoom: TILE_ZOOM,
        referrerPolicy: 'origin',
        className: classes.tiles,
        pane: 'overlayPane',
        zIndex: TILES_ABOVE,
      })
      .addTo(map.current!)
    return () => void layer.remove()
  }, [tiles])

  return { map, tiles, outlinesFailed: outlines.isError }
}

/** A tooltip of Leaflet is HTML, and a name comes from outside. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
