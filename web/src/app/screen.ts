import type { Access } from '@waybill/contract/permissions'
import type { IconName } from '../ui/marks/icon.tsx'

/** How a screen stands in the navigation. A screen may stand there twice, as the orders do. */
export interface MenuEntry {
  labelKey: string
  icon: IconName
  group: 'work' | 'settings' | 'people'
  order: number
  /** Narrows the screen: my orders */
  search?: Readonly<Record<string, string>>
  /** Among the tabs at the bottom of a phone */
  isTab?: boolean
  /**
   * The address of the screen that this one is a tab of, which the navigation shows in its place to who may open it;
   * the palette finds both
   */
  within?: string
}

/** That the palette finds the records of a list by their titles. */
export interface FoundByList {
  /** What tells one from its like */
  note?: (row: never) => (string | null | undefined)[]
  /** What one is called, as a key of the frame's texts; `palette.kind.<path>` where left out */
  kindKey?: string
}

/** What spec §2 calls a screen, where it names one. */
type ScreenName =
  | 'loginPage'
  | 'restorePage'
  | 'recoveryPassword'
  | 'resetPassword'
  | 'qrCodePage'
  | 'qrPage'
  | 'pageMain'
  | 'pageEmailPreview'
  | 'pageProfileEdit'
  | 'pageError403'
  | 'pageError404'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    name?: ScreenName
    /** The browser's title (spec §2, rule 6) */
    titleKey?: string
    /** Who may open it; left out only by layouts and the catch-all */
    access?: Access
    /** The login page does not bring the person back here */
    isWithoutReturn?: boolean
    menu?: readonly MenuEntry[]
    /** Of a list at the address that its resource has */
    found?: FoundByList
    /** Needs the width: the navigation starts folded */
    isWide?: boolean
    /** A list whose columns need the width of a small screen: there it starts folded too */
    isWideList?: boolean
  }
}
