/** What a form leaves in the device's storage when its page goes away stands under names that begin so. */
export const LAST_TYPED = 'last-typed/'
