@rem npm scripts begin with exec, which shells of other systems know. The command shell of Windows finds this file instead.
@%*
