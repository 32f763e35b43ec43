; Part of the Windows installer. Removes what a running Jobdeck registered for the user: links, the start at login and
; clicks on notifications. Saved jobs and keys stay. An update runs the former uninstaller too, which then removes
; nothing of this.

; Sets $1 to "yes" if COMMAND, quoted or not, starts the Jobdeck that is being removed, and not another copy.
!macro startsThisCopy COMMAND
  StrCpy $0 ${COMMAND}
  StrCpy $1 $0 1
  ${if} $1 == '"'
    StrCpy $0 $0 "" 1
  ${endIf}
  StrLen $1 "$INSTDIR\"
  StrCpy $0 $0 $1
  StrCpy $1 "no"
  ${if} $0 == "$INSTDIR\"
    StrCpy $1 "yes"
  ${endIf}
!macroend

!define toastActivator "Software\Classes\CLSID\{7C1C8A0B-53A6-4C0B-9B1F-6D7E0B9E52A4}"
!define startsAtLogin "Software\Microsoft\Windows\CurrentVersion"

!macro customUnInstall
  ${ifNot} ${isUpdated}
    ReadRegStr $0 HKCU "Software\Classes\jobdeck\shell\open\command" ""
    !insertmacro startsThisCopy $0
    ${if} $1 == "yes"
      DeleteRegKey HKCU "Software\Classes\jobdeck"
    ${endIf}

    ; Electron names the entry by the app's user model id.
    ReadRegStr $0 HKCU "${startsAtLogin}\Run" "${APP_ID}"
    !insertmacro startsThisCopy $0
    ${if} $1 == "yes"
      DeleteRegValue HKCU "${startsAtLogin}\Run" "${APP_ID}"
      DeleteRegValue HKCU "${startsAtLogin}\Explorer\StartupApproved\Run" "${APP_ID}"
    ${endIf}

    ReadRegStr $0 HKCU "${toastActivator}\LocalServer32" ""
    !insertmacro startsThisCopy $0
    ${if} $1 == "yes"
      DeleteRegKey HKCU "${toastActivator}"
    ${endIf}
  ${endIf}
!macroend
