Feature: Flags out of configurations

  # What Gamekeeper adds to flags with variants: plain values, paths, experiments.

  Background:
    Given a stable provider

  Scenario Outline: A plain value is a flag without variants
    Given a <type>-flag with key "<key>" and a fallback value "<fallback>"
    When the flag was evaluated with details
    Then the resolved details value should be "<value>"
    And the variant should be "base"
    And the reason should be "STATIC"
    And the resolved metadata is empty

    Examples:
      | type    | key                | fallback | value  |
      | Boolean | plain.isOpen       | false    | true   |
      | String  | plain.banner       | winter   | summer |
      | Integer | plain.price        | 1        | 12     |
      | Float   | plain.odds         | 0.5      | 0.25   |
      | Object  | plain.rewards      | {}       | [1, 2] |

  Scenario Outline: Every refusal answers the fallback
    Given a <type>-flag with key "<key>" and a fallback value "<fallback>"
    When the flag was evaluated with details
    Then the resolved details value should be "<fallback>"
    And the reason should be "ERROR"
    And the error-code should be "<code>"

    Examples:
      | type    | key              | fallback | code           |
      | String  | plain.unheard    | winter   | FLAG_NOT_FOUND |
      | String  | toString         | winter   | FLAG_NOT_FOUND |
      | String  | plain.price      | winter   | TYPE_MISMATCH  |
      | Boolean | plain            | true     | TYPE_MISMATCH  |
      | String  | variantless-flag | winter   | GENERAL        |

  Scenario: A flag that names no default variant leaves it to the caller
    Given a Integer-flag with key "open-default-flag" and a fallback value "7"
    When the flag was evaluated with details
    Then the resolved details value should be "7"
    And the reason should be "DEFAULT"

  Scenario: An experiment names its group
    Given a Integer-flag with key "plain.gems" and a fallback value "1"
    And a context containing a key "level", with type "Integer" and with value "9"
    When the flag was evaluated with details
    Then the resolved details value should be "20"
    And the variant should be "generous"
    And the reason should be "TARGETING_MATCH"

  Scenario: Whom the experiment does not take gets the base
    Given a Integer-flag with key "plain.gems" and a fallback value "1"
    And a context containing a key "level", with type "Integer" and with value "2"
    When the flag was evaluated with details
    Then the resolved details value should be "10"
    And the variant should be "base"
    And the reason should be "DEFAULT"

  Scenario: Chance decides between groups that share
    Given a String-flag with key "split-flag" and a fallback value "none"
    And a context containing a key "level", with type "Integer" and with value "1"
    When the flag was evaluated with details
    Then the reason should be "SPLIT"

  Scenario Outline: The provider tells its state
    Given a <state> provider
    Then the provider status should be "<status>"

    Examples:
      | state     | status    |
      | not ready | NOT_READY |
      | error     | ERROR     |
      | fatal     | FATAL     |
      | stale     | STALE     |

  Scenario: Hooks hear of a plain value what they hear of any flag
    Given a client with added hook
    And a Boolean-flag with key "plain.isOpen" and a fallback value "false"
    When the flag was evaluated with details
    Then the "before" hook should have been executed
    And the "after, finally" hooks should be called with evaluation details
      | data_type | key        | value        |
      | string    | flag_key   | plain.isOpen |
      | boolean   | value      | true         |
      | string    | variant    | base         |
      | string    | reason     | STATIC       |
      | string    | error_code | null         |
