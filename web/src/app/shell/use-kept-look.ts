import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import type { Preferences } from '@waybill/contract/preferences'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useChangePreferences, usePreferences } from '../../kit/list/columns/preferences.ts'
import { useDensity, type Density } from '../../ui/page/density.ts'

type Look = Pick<Preferences, 'theme' | 'density'>

const themeOf = (scheme: MantineColorScheme): Look['theme'] => (scheme === 'auto' ? 'system' : scheme)

/**
 * Theme and row height follow the person from device to device: the server's answer comes first,
 * then each change here goes there.
 */
export function useKeptLook(): void {
  const { preferences, isAnswered } = usePreferences()
  const change = useChangePreferences()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [density, setDensity] = useDensity()
  // What the server holds, as far as it is known here.
  const held = useRef<Look | null>(null)
  const begun = useRef({ theme: themeOf(colorScheme), density })

  const give = useEffectEvent((theme: Look['theme'], rows: Density) => {
    const before = held.current
    if (before === null || (before.theme === theme && before.density === rows)) return
    held.current = { theme, density: rows }
    change({ ...(before.theme === theme ? {} : { theme }), ...(before.density === rows ? {} : { density: rows }) })
  })
  const take = useEffectEvent((kept: Look) => {
    if (held.current !== null) return
    held.current = kept
    // Who was quicker than the answer has the last word.
    if (begun.current.theme === themeOf(colorScheme) && begun.current.density === density) {
      setColorScheme(kept.theme === 'system' ? 'auto' : kept.theme)
      setDensity(kept.density)
    } else give(themeOf(colorScheme), density)
  })
  useEffect(() => give(themeOf(colorScheme), density), [colorScheme, density])
  useEffect(() => {
    if (isAnswered && preferences !== undefined) take(preferences)
  }, [isAnswered, preferences])
}
