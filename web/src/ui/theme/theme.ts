import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'
import classes from './theme.module.css'

// The same tuple as --wb-petrol-0…9: Mantine computes hover and contrast from real values.
const petrol: MantineColorsTuple = [
  '#e9f5f8',
  '#d0e9ef',
  '#a5d4e0',
  '#78bfd0',
  '#4ea8be',
  '#2a91aa',
  '#157b94',
  '#0c647b',
  '#0f6f88',
  '#073c4b',
]
const red: MantineColorsTuple = [
  '#fdeceb',
  '#f9d5d2',
  '#f0aca7',
  '#e7817a',
  '#dd5a51',
  '#cf4238',
  '#c2352c',
  '#b3261e',
  '#c2352c',
  '#921c16',
]

/** The look as Mantine's theme; every measure stands in tokens.css. */
export const theme = createTheme({
  colors: { petrol, red },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 8 },
  fontFamily: 'var(--wb-font)',
  fontFamilyMonospace: 'var(--wb-mono)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '14px', xl: '16px' },
  lineHeights: { xs: '1.4', sm: '1.4', md: '1.4', lg: '1.4', xl: '1.3' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  headings: { fontFamily: 'var(--wb-font)', fontWeight: '600' },
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'var(--wb-shadow-pop)',
    lg: 'var(--wb-shadow-pop)',
    xl: 'var(--wb-shadow-modal)',
  },
  // Plain objects, not Component.extend: the theme is on every page, the components are not.
  components: {
    // One primary button per view, so the plain one is the default: variant="filled" is the
    // primary, color="red" destroys.
    Button: {
      defaultProps: { variant: 'default' },
      classNames: { root: classes.button, label: classes.buttonLabel, section: classes.buttonSection },
      vars: (_theme: unknown, { size }: { size?: string }) => ({
        root:
          size === 'compact-sm'
            ? { '--button-height': 'var(--wb-button-sm)', '--button-padding-x': '9px', '--button-fz': '13px' }
            : { '--button-height': 'var(--wb-button)', '--button-padding-x': '14px', '--button-fz': '13px' },
      }),
    },
    Input: {
      classNames: { wrapper: classes.inputWrapper, input: classes.input, section: classes.inputSection },
      vars: () => ({ wrapper: { '--input-height': 'var(--wb-input)', '--input-fz': 'var(--wb-input-fs)' } }),
    },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
      classNames: {
        root: classes.field,
        label: classes.label,
        required: classes.required,
        error: classes.error,
        description: classes.description,
      },
    },
    Select: {
      defaultProps: { checkIconPosition: 'right', withScrollArea: false, comboboxProps: { shadow: 'md' } },
      classNames: { options: classes.options },
    },
    MultiSelect: { defaultProps: { withScrollArea: false }, classNames: { options: classes.options } },
    Checkbox: {
      defaultProps: { size: 'xs', radius: 'xs' },
      classNames: { input: classes.check, label: classes.checkLabel },
    },
    Radio: { defaultProps: { size: 'xs' }, classNames: { radio: classes.check, label: classes.checkLabel } },
    Switch: {
      defaultProps: { size: 'xs', withThumbIndicator: false },
      classNames: { track: classes.switchTrack, label: classes.checkLabel },
    },
    Menu: {
      // Mantine's placeholder for the first focus is a nameless element among the items.
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        offset: 4,
        transitionProps: { duration: 80 },
        withInitialFocusPlaceholder: false,
      },
      classNames: { dropdown: classes.dropdown, item: classes.menuItem, label: classes.menuLabel },
    },
    Popover: {
      defaultProps: { shadow: 'md', radius: 'md', offset: 4, transitionProps: { duration: 80 } },
      classNames: { dropdown: classes.dropdown },
    },
    Tooltip: {
      defaultProps: {
        openDelay: 400,
        withArrow: false,
        transitionProps: { duration: 80 },
        events: { hover: true, focus: true, touch: false },
      },
      classNames: { tooltip: classes.tooltip },
    },
    Modal: {
      defaultProps: {
        size: 'var(--wb-modal)',
        radius: 'lg',
        shadow: 'xl',
        overlayProps: { color: 'transparent', backgroundOpacity: 0 },
        transitionProps: { duration: 120, transition: 'fade' },
      },
      classNames: {
        overlay: classes.scrim,
        inner: classes.modalPlace,
        content: classes.modal,
        header: classes.modalHeader,
        title: classes.modalTitle,
        body: classes.modalBody,
        close: classes.iconButton,
      },
    },
    Drawer: {
      defaultProps: {
        shadow: 'md',
        overlayProps: { color: 'transparent', backgroundOpacity: 0 },
        transitionProps: { duration: 120 },
      },
      classNames: { overlay: classes.scrim, close: classes.iconButton },
    },
    Notification: {
      defaultProps: { radius: 'md', withBorder: true },
      classNames: {
        root: classes.toast,
        icon: classes.toastIcon,
        title: classes.toastTitle,
        description: classes.toastText,
        closeButton: classes.iconButton,
      },
    },
  },
})

/** Mantine's own variables, led back to ours, so that light and dark are decided in one file. */
export const cssVariables: CSSVariablesResolver = () => {
  const both = {
    '--mantine-color-body': 'var(--wb-bg)',
    '--mantine-color-text': 'var(--wb-text)',
    '--mantine-color-bright': 'var(--wb-text)',
    '--mantine-color-dimmed': 'var(--wb-dim)',
    '--mantine-color-placeholder': 'var(--wb-dim)',
    '--mantine-color-anchor': 'var(--wb-link)',
    '--mantine-color-error': 'var(--wb-danger-text)',
    '--mantine-color-success': 'var(--wb-ok-text)',
    '--mantine-color-default': 'var(--wb-surface)',
    '--mantine-color-default-hover': 'var(--wb-hover)',
    '--mantine-color-default-color': 'var(--wb-text)',
    '--mantine-color-default-border': 'var(--wb-line-strong)',
    '--mantine-color-disabled': 'var(--wb-surface-2)',
    '--mantine-color-disabled-color': 'var(--wb-dim)',
    '--mantine-color-disabled-border': 'var(--wb-line-strong)',
    '--mantine-primary-color-filled': 'var(--wb-accent)',
    '--mantine-primary-color-filled-hover': 'var(--wb-accent-hover)',
    '--mantine-color-petrol-filled': 'var(--wb-accent)',
    '--mantine-color-petrol-filled-hover': 'var(--wb-accent-hover)',
    '--mantine-color-red-filled': 'var(--wb-danger)',
    '--mantine-color-red-filled-hover': 'var(--wb-danger-hover)',
  }
  return { variables: {}, light: both, dark: both }
}
