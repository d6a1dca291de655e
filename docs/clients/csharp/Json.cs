// The JSON of the client for .NET: Unity has no reader for documents of any shape.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace Gamekeeper
{
    using Values = Dictionary<string, object>;

    /// <summary>Values are null, bool, long, double, string, List of object, and Dictionary from string to object.</summary>
    public sealed class Json
    {
        const int Deepest = 200;
        static readonly Regex Numeral = new Regex(@"\G-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?");
        readonly string text;
        int at, depth;

        Json(string text) { this.text = text; }

        /// <summary>The value of a JSON text; null of what is none.</summary>
        public static object Read(string text)
        {
            try
            {
                var reader = new Json(text);
                var value = reader.Value();
                reader.Next();
                return reader.at == text.Length ? value : null;
            }
            catch (FormatException) { return null; }
        }

        /// <summary>Values of the server over the defaults: objects key by key, lists as a whole. A value of another type than its default is left out, and its path told.
        /// Lists and objects are copies, which the caller may change. A number has the type of its default, so that what casts the one casts the other.</summary>
        public static object Overlay(object fallback, object own, Action<string> onMismatch = null, string path = "")
        {
            if (own == null) return fallback;
            if (fallback == null) return Copied(own);
            object value = null;
            if (Kind(fallback) == Kind(own))
            {
                if (own is Values) value = Merged((Values)fallback, (Values)own, onMismatch, path);
                else value = Kind(own) == "number" ? Number(fallback, own) : Copied(own);
            }
            if (value == null && onMismatch != null) onMismatch(path);
            return value ?? fallback;
        }

        static Values Merged(Values fallback, Values own, Action<string> onMismatch, string path)
        {
            var merged = new Values(fallback);
            foreach (var each in own)
            {
                object known;
                merged[each.Key] = Overlay(fallback.TryGetValue(each.Key, out known) ? known : null, each.Value, onMismatch, path == "" ? each.Key : path + "." + each.Key);
            }
            return merged;
        }

        static object Copied(object value)
        {
            if (value is Values) return ((Values)value).ToDictionary(each => each.Key, each => Copied(each.Value));
            return value is List<object> ? ((List<object>)value).Select(Copied).ToList() : value;
        }

        /// <summary>The number as one of the type of the default; null where that type cannot say it.</summary>
        static object Number(object fallback, object own)
        {
            var isFraction = own is double && Math.Floor((double)own) != (double)own;
            if (isFraction && !(fallback is double || fallback is float || fallback is decimal)) return null;
            // What is too large for a float becomes infinite without a word.
            if (fallback is float && Math.Abs(Convert.ToDouble(own)) > float.MaxValue) return null;
            try { return Convert.ChangeType(own, fallback.GetType(), CultureInfo.InvariantCulture); }
            catch (Exception error) when (error is OverflowException || error is InvalidCastException) { return null; }
        }

        /// <summary>An ArgumentException says what has no JSON.</summary>
        public static string Write(object value)
        {
            var into = new StringBuilder();
            Write(value, into, 0);
            return into.ToString();
        }

        static string Kind(object value)
        {
            if (value is string || value is bool) return value.GetType().Name;
            return value is Values ? "object" : value is IEnumerable ? "list" : "number";
        }

        static void Write(object value, StringBuilder into, int depth)
        {
            if (depth > Deepest) throw new ArgumentException("values lie in one another " + Deepest + " deep");
            var separator = "";
            if (value == null) into.Append("null");
            else if (value is string) Quote((string)value, into);
            else if (value is bool) into.Append((bool)value ? "true" : "false");
            else if (value is double || value is float)
            {
                var number = Convert.ToDouble(value);
                if (double.IsNaN(number) || double.IsInfinity(number)) throw new ArgumentException(number + " is no number of JSON");
                // A float of 0.1 is 0.1, not the nearest double, which has sixteen digits more.
                into.Append(value is float ? ((float)value).ToString("R", CultureInfo.InvariantCulture) : number.ToString("R", CultureInfo.InvariantCulture));
            }
            else if (value is IDictionary<string, object>)
            {
                into.Append('{');
                foreach (var each in (IDictionary<string, object>)value)
                {
                    into.Append(separator);
                    Quote(each.Key, into);
                    into.Append(':');
                    Write(each.Value, into, depth + 1);
                    separator = ",";
                }
                into.Append('}');
            }
            else if (value is IEnumerable)
            {
                into.Append('[');
                foreach (var each in (IEnumerable)value)
                {
                    into.Append(separator);
                    Write(each, into, depth + 1);
                    separator = ",";
                }
                into.Append(']');
            }
            else if (value is int || value is long || value is short || value is sbyte || value is byte || value is ushort || value is uint || value is ulong || value is decimal)
                into.Append(Convert.ToString(value, CultureInfo.InvariantCulture));
            else throw new ArgumentException(value.GetType().Name + " has no JSON");
        }

        static void Quote(string value, StringBuilder into)
        {
            into.Append('"');
            foreach (var each in value)
            {
                if (each == '"' || each == '\\') into.Append('\\').Append(each);
                else if (each < ' ' || char.IsSurrogate(each)) into.Append("\\u").Append(((int)each).ToString("x4"));
                else into.Append(each);
            }
            into.Append('"');
        }

        char Next()
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
            return at < text.Length ? text[at] : '\0';
        }

        void Expect(string word)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw new FormatException();
            at += word.Length;
        }

        object Word(string word, object value) { Expect(word); return value; }

        object Value()
        {
            switch (Next())
            {
                case '{': return Many(new Values(), '}', into => { var name = Text(); Next(); Expect(":"); into[name] = Value(); });
                case '[': return Many(new List<object>(), ']', into => into.Add(Value()));
                case '"': return Text();
                case 't': return Word("true", true);
                case 'f': return Word("false", false);
                case 'n': return Word("null", null);
                default: return Number();
            }
        }

        T Many<T>(T into, char end, Action<T> one)
        {
            if (++depth > Deepest) throw new FormatException();
            at++;
            for (var isFirst = true; Next() != end; isFirst = false)
            {
                if (!isFirst) { Expect(","); Next(); }
                one(into);
            }
            at++;
            depth--;
            return into;
        }

        object Number()
        {
            var digits = Numeral.Match(text, at).Value;
            if (digits == "") throw new FormatException();
            at += digits.Length;
            long whole;
            if (long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole)) return whole;
            double number;
            // What is too large for a double is no number in Mono and Unity, and infinite in newer .NET, which no JSON can say.
            if (double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out number) && !double.IsInfinity(number)) return number;
            throw new FormatException();
        }

        string Text()
        {
            Expect("\"");
            var into = new StringBuilder();
            for (; at < text.Length && text[at] != '"'; at++)
            {
                if (text[at] < ' ') throw new FormatException();
                if (text[at] != '\\') { into.Append(text[at]); continue; }
                if (++at == text.Length) throw new FormatException();
                var known = "\"\\/bfnrt".IndexOf(text[at]);
                if (known >= 0) { into.Append("\"\\/\b\f\n\r\t"[known]); continue; }
                int code;
                if (text[at] != 'u' || at + 4 >= text.Length) throw new FormatException();
                if (!int.TryParse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code)) throw new FormatException();
                into.Append((char)code);
                at += 4;
            }
            Expect("\"");
            return into.ToString();
        }
    }
}
