export { checkedText, templateAt, textToSend } from './mail-template.service.ts'
export { STANDARD_TEXT_NAMES, standardText } from './standard-texts.ts'
