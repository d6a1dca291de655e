// Prints what becomes of typed defaults when values of the server are laid over them: a name, the type and the value a line. Then numbers as JSON.
using System;
using System.Collections.Generic;
using System.Globalization;

public static class Types
{
    public static void Main()
    {
        var defaults = new Dictionary<string, object>
        {
            ["whole"] = 5, ["fraction"] = 6, ["single"] = 1.5f, ["real"] = 2.5, ["large"] = 7, ["exact"] = 1.5m, ["long"] = 8L, ["small"] = (byte)9, ["tiny"] = 0.5f, ["text"] = "a"
        };
        var own = Gamekeeper.Json.Read("{\"whole\":1e1,\"fraction\":6.5,\"single\":2,\"real\":3,\"large\":9999999999,\"exact\":2,\"long\":9,\"small\":300,\"tiny\":1e300,\"text\":7,\"new\":4}");
        foreach (var each in (Dictionary<string, object>)Gamekeeper.Json.Overlay(defaults, own))
            Console.WriteLine(each.Key + " " + each.Value.GetType().Name + " " + Convert.ToString(each.Value, CultureInfo.InvariantCulture));
        Console.WriteLine("too large " + (Gamekeeper.Json.Read("[1e400]") == null));
        Console.WriteLine(Gamekeeper.Json.Write(new object[] { 0.1f, 0.1, 1e21, ulong.MaxValue, long.MinValue, (sbyte)-1, (ushort)2, 1.50m }));
    }
}
