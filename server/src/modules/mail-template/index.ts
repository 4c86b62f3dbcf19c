export { standardText } from './standard-texts.ts'
export { addedTexts, checkedText, templateAt, textToSend } from './mail-template.service.ts'
